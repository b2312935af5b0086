package support

import "embed"

// C holds the static files of C and C++, below the folder "c". The emitters
// copy them verbatim beside the generated headers.
//
//go:embed c/protocol.h c/segment.h c/segment.hpp c/detail
var C embed.FS
