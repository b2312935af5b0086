package segment

// Named tells whether the path still names the segment's file.
func (s *Segment) Named() (bool, error) { return sameFile(s.path, s.fd) }
