#include <shmkv/shkv2.h>
#include <stdio.h>

int main(int argc, char **argv) {
  shkv2_writer writer;
  shmkv_code code = argc == 2 ? shkv2_create(&writer, argv[1], 0) : SHMKV_INVALID;
  if (code == SHMKV_OK) {
    code = shkv2_publish(&writer, "from", "C", NULL);
    shkv2_close_writer(&writer);
  }
  if (code != SHMKV_OK) {
    fprintf(stderr, "writer failed: %d\n", (int)code);
    return 1;
  }
  return 0;
}
