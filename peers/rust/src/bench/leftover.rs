//! Queues of benches whose both processes were killed with SIGKILL: a queue lives
//! until it is unlinked.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::mq;

/// Unlinks the queues of dead processes. Queues can only be listed where their file
/// system is mounted; elsewhere nothing is done. Those of another user stay.
pub fn remove() {
    let mounts = fs::read("/proc/self/mountinfo").unwrap_or_default();
    let entries = queue_folders(&mounts).into_iter().map(fs::read_dir);
    for entry in entries.flatten().flatten().flatten() {
        if let Some(owner) = owner(&entry.file_name()).filter(|&pid| is_dead(pid)) {
            mq::unlink(owner);
        }
    }
}

/// The process whose queue has this name.
fn owner(name: &OsStr) -> Option<u32> {
    let pid = name.to_str()?.strip_prefix(mq::PREFIX)?;
    // Only as the process itself would write it: no sign, no leading zero.
    pid.parse().ok().filter(|n: &u32| n.to_string() == pid)
}

fn is_dead(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| test_kill_process(pid) == Err(Errno::SRCH))
}

/// Where message queues are mounted, usually /dev/mqueue, by proc_pid_mountinfo(5):
/// the mount point is the fifth field, the type of the file system stands behind a
/// lone dash.
fn queue_folders(mountinfo: &[u8]) -> Vec<PathBuf> {
    let folder = |line: &[u8]| {
        let mut fields = line.split(|&b| b == b' ');
        let folder = unescape(fields.nth(4)?);
        let kind = fields.skip_while(|f| *f != b"-").nth(1)?;
        (kind == b"mqueue").then_some(folder)
    };
    mountinfo
        .split(|&b| b == b'\n')
        .filter_map(folder)
        .collect()
}

/// Turns the octal escapes of a mount point, such as `\040`, back.
fn unescape(mut text: &[u8]) -> PathBuf {
    let mut bytes = Vec::new();
    while let Some((&byte, rest)) = text.split_first() {
        let code = rest.get(..3).and_then(|d| std::str::from_utf8(d).ok());
        let code = code.and_then(|d| u8::from_str_radix(d, 8).ok());
        match code.filter(|_| byte == b'\\') {
            Some(code) => {
                bytes.push(code);
                text = &rest[3..];
            }
            None => {
                bytes.push(byte);
                text = rest;
            }
        }
    }
    std::ffi::OsString::from_vec(bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_where_queues_are_mounted() {
        let text = b"24 1 0:22 / /proc rw - proc proc rw\n\
            31 24 0:27 / /dev/mqueue rw,nosuid shared:5 master:1 - mqueue mqueue rw\n\
            32 24 0:27 / /my\\040queues\\134 rw - mqueue none rw\n\n";
        assert_eq!(
            queue_folders(text),
            [PathBuf::from("/dev/mqueue"), PathBuf::from("/my queues\\")]
        );
    }

    #[test]
    fn knows_whose_a_queue_is() {
        assert_eq!(owner(OsStr::new("shmkv-bench-12")), Some(12));
        for other in [
            "shmkv-bench-",
            "shmkv-bench-012",
            "shmkv-bench-+1",
            "shmkv-bench-1x",
            "x",
        ] {
            assert_eq!(owner(OsStr::new(other)), None, "{other}");
        }
    }
}
