package rust

const readerHead = `
/// A page opened for reading: a file that a writer created, mapped read-only.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Reader {
    inner: segment::Reader,
}

#[cfg(feature = "std")]
impl Reader {
    /// Opens a page that a writer has created. Never blocks, and refuses anything
    /// but a regular file with the size and the stamps of this layout.
    pub fn open(path: impl AsRef<std::path::Path>) -> Result<Self, segment::Error> {
        let inner = segment::Reader::open(path.as_ref(), &$PAGE::LAYOUT)?;
        Ok(Reader { inner })
    }

    /// The path that was opened.
    pub fn path(&self) -> &std::path::Path {
        self.inner.path()
    }

    /// The mapped page, for single words and for reads that spin instead of sleep.
    pub fn view(&self) -> View<'_> {
        let base = self.inner.base();
        let page = core::marker::PhantomData;
        View { base, page }
    }

    /// Sets how long a read tries while the page stays busy, as it does for ever
    /// when a writer was killed; [·PATIENCE·](segment::PATIENCE), 2 s, unless set.
    pub fn set_patience(&mut self, patience: core::time::Duration) {
        self.inner.set_patience(patience);
    }

    /// Whether a writer holds the page's lock now.
    pub fn alive(&self) -> Result<bool, segment::Error> {
        self.inner.alive()
    }

    /// Whether the file still has its size. Reading a page that was cut short ends
    /// the process (SIGBUS); whatever waits looks itself before it reads.
    pub fn check(&self) -> Result<(), segment::Error> {
        self.inner.check()
    }
`

const readerSnapshot = `
    /// Copies what the seqlock guards: one state, never a mixture. Blocks while a
    /// write is in progress, at most as long as the patience lasts:
    /// [·Livelocked·](shmkv::Fault::Livelocked) then.
    pub fn snapshot(&self) -> Result<$SNAPSHOT, segment::Error> {
        let mut copy = shmkv::Plain::zeroed();
        self.snapshot_into(&mut copy)?;
        Ok(copy)
    }

    /// As ·snapshot·, into memory of the caller; see also [·boxed·](segment::boxed).
    /// After an error its contents have no meaning.
    pub fn snapshot_into(&self, copy: &mut $SNAPSHOT) -> Result<(), segment::Error> {
        // SAFETY: a page of this layout; the copy belongs to its seqlock.
        unsafe { self.inner.read(copy) }
    }
`

const readerSlot = `
    /// Copies slot ·i· of the ring alone: update ·id· lies in slot
    /// ·(id - 1) % RING.count·. Blocks as ·snapshot· does.
    pub fn slot(&self, i: usize) -> Result<$SLOT, segment::Error> {
        let mut copy = shmkv::Plain::zeroed();
        self.slot_into(i, &mut copy)?;
        Ok(copy)
    }

    /// As ·slot·, into memory of the caller. Returns the counter of that moment.
    pub fn slot_into(&self, i: usize, copy: &mut $SLOT) -> Result<u64, segment::Error> {
        // SAFETY: a page of this layout; the copy is a record of its ring.
        unsafe { self.inner.read_slot(i, copy) }
    }

    /// Everything after update ·last· that the ring still holds, the oldest first,
    /// without waiting for more. Begin with 0, go on with the last id.
    pub fn since(&self, last: u64) -> Result<std::vec::Vec<Update>, segment::Error> {
        // SAFETY: a page of this layout, whose ring has such records.
        unsafe { segment::Updates::new(&self.inner, last) }.batch_now()
    }
`

const readerUpdates = `
    /// All updates from the oldest in the ring on, for ever, sleeping in between. Set
    /// an end with ·timeout·, ·cancel· or ·while_writer_lives·.
    pub fn updates(&self) -> segment::Updates<'_, $SLOT> {
        // SAFETY: a page of this layout, whose ring has such records.
        unsafe { segment::Updates::new(&self.inner, 0) }
    }

    /// Waits until there is something after update ·last· and returns all of it that
    /// the ring still holds. [·TimedOut·](shmkv::Fault::TimedOut) without.
    pub fn wait(
        &self,
        last: u64,
        timeout: core::time::Duration,
    ) -> Result<std::vec::Vec<Update>, segment::Error> {
        // SAFETY: a page of this layout, whose ring has such records.
        let updates = unsafe { segment::Updates::new(&self.inner, last) };
        updates.timeout(timeout).batch()
    }
`

const readerWait = `
    /// Waits until the counter is not ·last· and returns what is there then.
    /// [·TimedOut·](shmkv::Fault::TimedOut) without.
    pub fn wait(
        &self,
        last: u64,
        timeout: core::time::Duration,
    ) -> Result<$SNAPSHOT, segment::Error> {
        let mut copy = shmkv::Plain::zeroed();
        self.wait_into(last, timeout, &mut copy)?;
        Ok(copy)
    }

    /// As ·wait·, into memory of the caller. Returns the counter.
    pub fn wait_into(
        &self,
        last: u64,
        timeout: core::time::Duration,
        copy: &mut $SNAPSHOT,
    ) -> Result<u64, segment::Error> {
        // SAFETY: a page of this layout; the copy belongs to its seqlock.
        unsafe { self.inner.wait_past(last, timeout, copy) }
    }
`

const readerWake = `
    /// Wakes everyone who waits for this page, to look at a flag for example.
    pub fn wake(&self) {
        self.inner.wake();
    }
`

const readerGuarded = `
    /// Copies $EACH. Blocks at most as long as the patience lasts.
    pub fn read_$FIELD(&self$PARAM) -> Result<$COPY, segment::Error> {
        let mut copy = shmkv::Plain::zeroed();
        // SAFETY: such a record is there; the copy belongs to its seqlock.
        unsafe { self.inner.read_guarded($WHICH, $INDEX, &mut copy) }?;
        Ok(copy)
    }
`

const writerHead = `
/// A page opened for writing. It holds the writer lock until it is dropped or its
/// process ends.
#[cfg(feature = "std")]
#[derive(Debug)]
pub struct Writer {
    inner: segment::Writer,
}

#[cfg(feature = "std")]
impl Writer {
    /// Creates a page, or continues one that exists after repairing what a killed
    /// writer left. [·Locked·](shmkv::Fault::Locked) if there is a writer.
    pub fn create(path: impl AsRef<std::path::Path>) -> Result<Self, segment::Error> {
        Self::create_with(path, &segment::Options::default())
    }

    /// As ·create·, with permissions for a new file or leave to reset a corrupt one.
    pub fn create_with(
        path: impl AsRef<std::path::Path>,
        options: &segment::Options,
    ) -> Result<Self, segment::Error> {
        let inner = segment::Writer::create(path.as_ref(), &$PAGE::LAYOUT, options)?;
        Ok(Writer { inner })
    }

    /// The path that was created.
    pub fn path(&self) -> &std::path::Path {
        self.inner.path()
    }

    /// What was found on a page that existed before; nothing for a new one.
    pub fn recovery(&self) -> Option<protocol::Recovery> {
        self.inner.recovery()
    }

    /// Whether the file still has its size. Writing to a page that was cut short
    /// ends the process (SIGBUS).
    pub fn check(&self) -> Result<(), segment::Error> {
        self.inner.check()
    }

    /// The mapped page for writing, without wakes.
    pub fn view(&mut self) -> ViewMut<'_> {
        let base = self.inner.base();
        let page = core::marker::PhantomData;
        ViewMut { base, page }
    }
`

const writerPublish = `
    /// Publishes one update, wakes whoever waits, and returns its id.
    pub fn publish_record(&mut self, record: &$SLOT) -> u64 {
        let id = self.view().publish_record(record);
        self.inner.wake_after(&$PAGE::SEQLOCK);
        id
    }
`

const writerUpdateCounted = `
    /// Changes everything that the seqlock guards in one step: readers see all of it
    /// or nothing. Wakes whoever waits and returns the new counter. The counter in
    /// the copy is not written.
    pub fn update(&mut self, change: impl FnOnce(&mut $SNAPSHOT)) -> u64 {
        let base = self.inner.base();
        // SAFETY: the page of this layout, the copy of its seqlock.
        let counter = unsafe { self.inner.update(base, &$PAGE::SEQLOCK, change) };
        self.inner.wake_after(&$PAGE::SEQLOCK);
        counter
    }
`

const writerUpdate = `
    /// Changes everything that the seqlock guards in one step: readers see all of it
    /// or nothing.
    pub fn update(&mut self, change: impl FnOnce(&mut $SNAPSHOT)) {
        let base = self.inner.base();
        // SAFETY: the page of this layout, the copy of its seqlock.
        unsafe { self.inner.update(base, &$PAGE::SEQLOCK, change) };
    }
`

const writerWake = `
    /// Wakes everyone who waits for this page, as every publish does.
    pub fn wake(&self) {
        self.inner.wake();
    }
`

const writerGuarded = `
    /// Changes $EACH in one step.
    pub fn update_$FIELD(&mut self$PARAM, change: $CHANGE) -> Result<(), segment::Error> {
        let base = self.inner.guarded($WHICH, $INDEX)?;
        let lock = &$TYPE::SEQLOCK;
        // SAFETY: such a record is there; the copy belongs to its seqlock.
        unsafe { self.inner.update(base, lock, change) };
        Ok(())
    }
`
