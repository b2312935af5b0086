package layout

import "fmt"

// Role is the part a field plays in the protocol.
type Role uint8

// The roles.
const (
	RoleNone        Role = iota
	RoleMagic            // char[N] const: what makes a file a page of this layout
	RoleVersion          // unsigned const, compared when a page is opened
	RoleFingerprint      // u64: the layout's hash, compared when a page is opened
	RoleSeqlock          // u32: odd while a write is in progress
	RoleFutex            // u32: low half of the counter it follows, slept on
	RoleCounter          // u64: how many updates were ever published
	RoleRing             // array of records: update id lies at (id-1) % count
	RoleWaiters          // u32: number of sleepers; zero lets a writer skip the wake
	roleCount
)

var roles = [roleCount]string{
	"none", "magic", "version", "fingerprint", "seqlock", "futex", "counter", "ring", "waiters",
}

// String returns the name a spec uses for the role.
func (r Role) String() string { return roles[r] }

// ParseRole returns the role of a spec name.
func ParseRole(name string) (Role, error) {
	for r := RoleMagic; r < roleCount; r++ {
		if roles[r] == name {
			return r, nil
		}
	}
	return RoleNone, fmt.Errorf("unknown role %q", name)
}
