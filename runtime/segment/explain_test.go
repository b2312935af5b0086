package segment

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A file that is cut short between the store and the wake makes the wake fail
// with EFAULT: the reason is told, not the errno.
func TestWakeOnALostWordIsATruncatedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	s, err := Create(path, &Layout{Name: "plain", Size: 4096})
	require.NoError(t, err)
	defer s.Close()
	require.ErrorIs(t, s.explain(unix.EFAULT), unix.EFAULT)
	require.NoError(t, os.Truncate(path, 0))
	require.ErrorIs(t, s.explain(unix.EFAULT), ErrTruncated)
}
