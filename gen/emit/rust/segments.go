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
		s.text(readerSnapshot, m.values)
	}
	if m.hasRing() {
		s.text(readerSlot, m.values)
	}
	switch {
	case m.waits() && m.hasRing():
		s.text(readerUpdates, m.values)
	case m.waits():
		s.text(readerWait, m.values)
	}
	if m.waits() {
		s.text(readerWake, m.values)
	}
	for k, g := range m.Guarded {
		s.text(readerGuarded, guardedValues(m, k, g))
	}
	s.f("}\n")
}

// writer emits the typed writer of a page that is a file.
func (s *source) writer(m *model) {
	s.text(writerHead, m.values)
	switch {
	case m.hasRing():
		s.publish(m, "segment::Error", "%s.map_err(|f| self.inner.error(f))?")
		s.text(writerPublish, m.values)
	case m.counts():
		s.text(writerUpdateCounted, m.values)
	case m.lock != nil:
		s.text(writerUpdate, m.values)
	}
	if m.waits() {
		s.text(writerWake, m.values)
	}
	for k, g := range m.Guarded {
		s.text(writerGuarded, guardedValues(m, k, g))
	}
	s.f("}\n")
}
