package rust

// reader emits the typed reader of a page that is a file.
func (s *source) reader(m *model) {
	if m.hasRing() {
		s.doc("", "///", md("One update of the ring."))
		s.f("#[cfg(feature = \"std\")]")
		s.f("pub type Update = segment::Update<%s>;\n", m.values["SLOT"])
	}
	s.text(readerHead, m.values)
	if m.lock != nil {
		s.method(readerSnapshot, m.values)
	}
	if m.hasRing() {
		s.method(readerSlot, m.values)
	}
	switch {
	case m.waits() && m.hasRing():
		s.method(readerUpdates, m.values)
	case m.waits():
		s.method(readerWait, m.values)
	}
	if m.waits() {
		s.method(readerWake, m.values)
	}
	for k, g := range m.Guarded {
		s.method(readerGuarded, guardedValues(m, k, g))
	}
	s.f("}\n")
}

// writer emits the typed writer of a page that is a file.
func (s *source) writer(m *model) {
	s.text(writerHead, m.values)
	switch {
	case m.hasRing():
		s.publish(m, "segment::Error", ".map_err(|f| self.inner.error(f))")
		s.method(writerPublish, m.values)
	case m.counts():
		s.method(writerUpdateCounted, m.values)
	case m.lock != nil:
		s.method(writerUpdate, m.values)
	}
	if m.waits() {
		s.method(writerWake, m.values)
	}
	for k, g := range m.Guarded {
		s.method(writerGuarded, guardedValues(m, k, g))
	}
	s.f("}\n")
}
