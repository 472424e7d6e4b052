//! The filter of system calls that the kernel applies to a confined program (seccomp).
//!
//! What Python, numpy, JVMs and native programs use is allowed; refused is what watches other processes, makes
//! namespaces or mounts, talks to the kernel's own subsystems, or holds memory that is not counted. The program is
//! written in the kernel's classic BPF and given to bubblewrap as a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::system::path_of;

/// A system call: its name, its number on `x86_64`, and its number on `aarch64`.
type Call = (&'static str, Option<u32>, Option<u32>);

const fn both(name: &'static str, number: u32) -> Call {
    (name, Some(number), Some(number))
}

const fn call(name: &'static str, x86: u32, arm: u32) -> Call {
    (name, Some(x86), Some(arm))
}

const fn old(name: &'static str, x86: u32) -> Call {
    (name, Some(x86), None)
}

/// Refused with "operation not permitted".
const REFUSED: &[Call] = &[
    // Other processes.
    call("ptrace", 101, 117),
    call("process_vm_readv", 310, 270),
    call("process_vm_writev", 311, 271),
    both("process_madvise", 440),
    call("kcmp", 312, 272),
    both("pidfd_getfd", 438),
    call("perf_event_open", 298, 241),
    call("userfaultfd", 323, 282),
    // Mounts and namespaces.
    call("mount", 165, 40),
    call("umount2", 166, 39),
    both("mount_setattr", 442),
    both("move_mount", 429),
    both("open_tree", 428),
    both("fsopen", 430),
    both("fsconfig", 431),
    both("fsmount", 432),
    both("fspick", 433),
    call("pivot_root", 155, 41),
    call("chroot", 161, 51),
    call("unshare", 272, 97),
    call("setns", 308, 268),
    call("open_by_handle_at", 304, 265),
    call("name_to_handle_at", 303, 264),
    call("fanotify_init", 300, 262),
    // Keys, which no namespace keeps apart.
    call("keyctl", 250, 219),
    call("add_key", 248, 217),
    call("request_key", 249, 218),
    // The kernel itself.
    call("bpf", 321, 280),
    call("kexec_load", 246, 104),
    call("kexec_file_load", 320, 294),
    call("init_module", 175, 105),
    call("finit_module", 313, 273),
    call("delete_module", 176, 106),
    old("create_module", 174),
    old("get_kernel_syms", 177),
    old("query_module", 178),
    call("swapon", 167, 224),
    call("swapoff", 168, 225),
    call("reboot", 169, 142),
    call("acct", 163, 89),
    call("quotactl", 179, 60),
    both("quotactl_fd", 443),
    call("syslog", 103, 116),
    call("settimeofday", 164, 170),
    call("clock_settime", 227, 112),
    call("clock_adjtime", 305, 266),
    call("adjtimex", 159, 171),
    call("sethostname", 170, 161),
    call("setdomainname", 171, 162),
    call("vhangup", 153, 58),
    call("lookup_dcookie", 212, 18),
    call("nfsservctl", 180, 42),
    old("iopl", 172),
    old("ioperm", 173),
    old("modify_ldt", 154),
    old("uselib", 134),
    old("ustat", 136),
    old("sysfs", 139),
    old("_sysctl", 156),
    old("mknod", 133),
    call("mknodat", 259, 33),
    // Other nodes of memory, and places in the queue for a CPU.
    call("migrate_pages", 256, 238),
    call("move_pages", 279, 239),
    both("set_mempolicy_home_node", 450),
    call("sched_setscheduler", 144, 119),
    call("sched_setattr", 314, 274),
    call("ioprio_set", 251, 30),
    // Memory of the kernel that belongs to no process.
    call("shmget", 29, 194),
    call("semget", 64, 190),
    call("msgget", 68, 186),
    call("mq_open", 240, 180),
    both("memfd_secret", 447),
    // A timer that sends SIGCONT would wake a stopped program.
    call("timer_create", 222, 107),
    both("io_uring_enter", 426),
    both("io_uring_register", 427),
];

/// Answered as by a kernel that does not know them, so that libraries do without. The flags of `clone3` lie in memory,
/// where no filter can read them.
const UNKNOWN: [Call; 3] = [both("clone3", 435), call("memfd_create", 319, 279), both("io_uring_setup", 425)];

/// The last system call that this list was made for; what comes later is unknown.
const LAST_KNOWN: u32 = 462;

const CLONE: Call = call("clone", 56, 220);
const PERSONALITY: Call = call("personality", 135, 92);
const IOCTL: Call = call("ioctl", 16, 29);
const FCNTL: Call = call("fcntl", 72, 25);
const SOCKET: Call = call("socket", 41, 198);
const SET_AFFINITY: Call = call("sched_setaffinity", 203, 122);

/// Flags of `clone` that make a namespace.
const NAMESPACES: u32 = 0x7e02_0000;
/// The personalities that programs ask for or set in earnest.
const PERSONALITIES: [u32; 3] = [0, 8, 0xffff_ffff];
/// Local, IPv4, IPv6 and netlink sockets, which a network namespace confines. Others may reach the machine's host.
const FAMILIES: [u32; 4] = [1, 2, 10, 16];
/// `TIOCSTI` and `TIOCLINUX` type into the terminal.
const TYPING: [u32; 2] = [0x5412, 0x541c];
/// `F_SETSIG` chooses a signal, SIGCONT among them.
const SET_SIGNAL: u32 = 10;

const NOT_PERMITTED: u32 = 0x0005_0001;
const NOT_KNOWN: u32 = 0x0005_0026;
const KILL: u32 = 0x8000_0000;
const ALLOW: u32 = 0x7fff_0000;

/// One instruction: its code, the jumps if a comparison holds or not, its operand.
type Instruction = (u16, u8, u8, u32);

const fn load(offset: u32) -> Instruction {
    (0x20, 0, 0, offset)
}

/// Skips so many instructions unless the value is this.
const fn unless(value: u32, skip: u8) -> Instruction {
    (0x15, 0, skip, value)
}

const fn answer(value: u32) -> Instruction {
    (0x06, 0, 0, value)
}

/// The low half of an argument.
const fn argument(number: u32) -> Instruction {
    load(16 + 8 * number)
}

/// An architecture: what the kernel calls it, and which numbers it has.
#[derive(Debug, Clone, Copy)]
struct Architecture {
    audit: u32,
    number: fn(&Call) -> Option<u32>,
}

const X86: Architecture = Architecture { audit: 0xc000_003e, number: |call| call.1 };
const ARM: Architecture = Architecture { audit: 0xc000_00b7, number: |call| call.2 };

const HERE: Option<Architecture> = if cfg!(target_arch = "x86_64") {
    Some(X86)
} else if cfg!(target_arch = "aarch64") {
    Some(ARM)
} else {
    None
};

/// The whole filter.
fn program(architecture: Architecture, one_cpu: bool) -> Vec<Instruction> {
    // Programs of another architecture, 32-bit ones among them, have other numbers: they end.
    let mut all = vec![load(4), (0x15, 1, 0, architecture.audit), answer(KILL), load(0)];
    // Also the numbers of x32, which are far above.
    all.extend([(0x25, 0, 1, LAST_KNOWN), answer(NOT_KNOWN)]);
    let mut when = |call: &Call, block: &[Instruction]| {
        if let Some(number) = (architecture.number)(call) {
            all.push(unless(number, block.len() as u8));
            all.extend_from_slice(block);
        }
    };
    for call in REFUSED {
        when(call, &[answer(NOT_PERMITTED)]);
    }
    for call in &UNKNOWN {
        when(call, &[answer(NOT_KNOWN)]);
    }
    if one_cpu {
        when(&SET_AFFINITY, &[answer(NOT_PERMITTED)]);
    }
    when(&CLONE, &[argument(0), (0x45, 0, 1, NAMESPACES), answer(NOT_PERMITTED), answer(ALLOW)]);
    let only = |values: &[u32]| {
        let mut block = vec![argument(0)];
        block.extend(values.iter().flat_map(|value| [unless(*value, 1), answer(ALLOW)]));
        block.push(answer(NOT_PERMITTED));
        block
    };
    when(&PERSONALITY, &only(&PERSONALITIES));
    when(&SOCKET, &only(&FAMILIES));
    let among = |values: &[u32]| {
        let mut block = vec![argument(1)];
        block.extend(values.iter().flat_map(|value| [unless(*value, 1), answer(NOT_PERMITTED)]));
        block.push(answer(ALLOW));
        block
    };
    when(&IOCTL, &among(&TYPING));
    when(&FCNTL, &among(&[SET_SIGNAL]));
    all.push(answer(ALLOW));
    all
}

/// How many system calls are refused on this machine; `None` where there is no filter.
pub(super) fn refused() -> Option<usize> {
    let architecture = HERE?;
    Some(REFUSED.iter().chain(&UNKNOWN).filter(|call| (architecture.number)(call).is_some()).count())
}

/// The filter as a file that a child of this process can open; it has no name on any disk.
pub(super) fn file(one_cpu: bool) -> Option<PathBuf> {
    static FILES: [OnceLock<Option<File>>; 2] = [OnceLock::new(), OnceLock::new()];
    let file = FILES[usize::from(one_cpu)].get_or_init(|| written(&program(HERE?, one_cpu)).ok());
    file.as_ref().map(path_of)
}

fn written(program: &[Instruction]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    for (code, holds, fails, operand) in program {
        file.write_all(&code.to_ne_bytes())?;
        file.write_all(&[*holds, *fails])?;
        file.write_all(&operand.to_ne_bytes())?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter answers, as the kernel would run it.
    fn run(program: &[Instruction], audit: u32, number: u32, arguments: [u32; 2]) -> u32 {
        let (mut value, mut at) = (0, 0);
        loop {
            let (code, holds, fails, operand) = program[at];
            at += 1;
            let jump = |test: bool| usize::from(if test { holds } else { fails });
            match code {
                0x20 => {
                    value = match operand {
                        0 => number,
                        4 => audit,
                        16 => arguments[0],
                        24 => arguments[1],
                        other => panic!("{other}"),
                    }
                }
                0x15 => at += jump(value == operand),
                0x25 => at += jump(value > operand),
                0x45 => at += jump(value & operand != 0),
                0x06 => return operand,
                other => panic!("{other:x}"),
            }
        }
    }

    #[test]
    fn what_is_listed_is_refused_and_the_rest_allowed() {
        for architecture in [X86, ARM] {
            let all = program(architecture, true);
            let number = |call: &Call| (architecture.number)(call).unwrap();
            let ask = |number, arguments| run(&all, architecture.audit, number, arguments);
            for call in REFUSED.iter().filter(|call| (architecture.number)(call).is_some()) {
                assert_eq!(ask(number(call), [0; 2]), NOT_PERMITTED, "{}", call.0);
            }
            assert_eq!(ask(number(&UNKNOWN[0]), [0; 2]), NOT_KNOWN);
            assert_eq!(ask(number(&SET_AFFINITY), [0; 2]), NOT_PERMITTED);
            let more = program(architecture, false);
            assert_eq!(run(&more, architecture.audit, number(&SET_AFFINITY), [0; 2]), ALLOW);
            // A thread, a process, a user namespace.
            let clones = [0x003d_0f00, 0x11, 0x1000_0011].map(|flags| ask(number(&CLONE), [flags, 0]));
            assert_eq!(clones, [ALLOW, ALLOW, NOT_PERMITTED]);
            let kinds = [0, 0xffff_ffff, 0x0400_0000].map(|kind| ask(number(&PERSONALITY), [kind, 0]));
            assert_eq!(kinds, [ALLOW, ALLOW, NOT_PERMITTED]);
            assert_eq!(
                [1, 2, 40, 38].map(|family| ask(number(&SOCKET), [family, 0])),
                [ALLOW, ALLOW, NOT_PERMITTED, NOT_PERMITTED]
            );
            assert_eq!([0x5401, 0x5412].map(|order| ask(number(&IOCTL), [0, order])), [ALLOW, NOT_PERMITTED]);
            assert_eq!([3, 10].map(|order| ask(number(&FCNTL), [0, order])), [ALLOW, NOT_PERMITTED]);
            // Reading, sleeping, sending a signal.
            for allowed in if architecture.audit == X86.audit { [0, 35, 62] } else { [63, 101, 129] } {
                assert_eq!(ask(allowed, [0; 2]), ALLOW);
            }
            assert_eq!([463, 0x4000_0000].map(|number| ask(number, [0; 2])), [NOT_KNOWN; 2]);
            assert_eq!(run(&all, 0x4000_0003, 0, [0; 2]), KILL);
        }
    }
}
