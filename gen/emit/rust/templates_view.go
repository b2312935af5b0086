package rust

// The parts of a layout's module that only differ in names. $PAGE, $SNAPSHOT and
// $SLOT are types; see newModel and guardedValues.

const viewHead = `
/// A page for reading, wherever in memory it is. Reads spin while a write is in
/// progress; a reader that can sleep is better.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    base: *const u8,
    page: core::marker::PhantomData<&'a $PAGE>,
}

// SAFETY: a view only reads, by atomic loads that any thread may do.
unsafe impl Send for View<'_> {}
// SAFETY: as above.
unsafe impl Sync for View<'_> {}

impl<'a> View<'a> {
    /// Binds to a page. Refuses memory of another size, memory that is not aligned
    /// to 8, and pages with other stamps (magic, version, fingerprint, constants).
    ///
    /// # Safety
    /// The memory is readable during ·'a·, and whoever writes it meanwhile follows
    /// the protocol. It may be read-only.
    pub unsafe fn from_ptr(base: *const u8, len: usize) -> Result<Self, shmkv::Fault> {
        view::check_place(base, len, &$PAGE::LAYOUT)?;
        // SAFETY: readable for this size, by the contract.
        unsafe { view::check_stamps(base, &$PAGE::LAYOUT) }?;
        let page = core::marker::PhantomData;
        Ok(View { base, page })
    }

    /// Binds to bytes that nobody writes meanwhile, an image of a page for example.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, shmkv::Fault> {
        // SAFETY: readable during 'a, and borrowed against all writing.
        unsafe { Self::from_ptr(bytes.as_ptr(), bytes.len()) }
    }

    /// Where the page begins.
    pub fn as_ptr(&self) -> *const u8 {
        self.base
    }
`

const viewSnapshot = `
    /// Copies what the seqlock guards: one state, never a mixture.
    /// [·Livelocked·](shmkv::Fault::Livelocked) if the page stays busy.
    pub fn snapshot(&self) -> Result<$SNAPSHOT, shmkv::Fault> {
        let mut copy = shmkv::Plain::zeroed();
        self.snapshot_into(&mut copy)?;
        Ok(copy)
    }

    /// As ·snapshot·, into memory of the caller. After an error its contents have
    /// no meaning.
    pub fn snapshot_into(&self, copy: &mut $SNAPSHOT) -> Result<(), shmkv::Fault> {
        // SAFETY: a page of this layout; the copy belongs to its seqlock.
        unsafe { view::spin_read(self.base, &$PAGE::SEQLOCK, copy) }
    }
`

const viewSlot = `
    /// Copies slot ·i· of the ring alone: update ·id· lies in slot
    /// ·(id - 1) % RING.count·.
    pub fn slot(&self, i: usize) -> Result<$SLOT, shmkv::Fault> {
        let mut copy = shmkv::Plain::zeroed();
        let (lock, ring) = (&$PAGE::SEQLOCK, &$PAGE::RING);
        // SAFETY: a page of this layout; the copy is a record of its ring.
        unsafe { view::spin_read_slot(self.base, lock, ring, i, &mut copy) }?;
        Ok(copy)
    }
`

const viewGuarded = `
    /// Copies $EACH.
    pub fn read_$FIELD(&self$PARAM) -> Result<$COPY, shmkv::Fault> {
        let mut copy = shmkv::Plain::zeroed();
        let at = view::guarded_at(&$PAGE::LAYOUT, $WHICH, $INDEX)?;
        let base = self.base.wrapping_add(at);
        let lock = &$TYPE::SEQLOCK;
        // SAFETY: such a record is there; the copy belongs to its seqlock.
        unsafe { view::spin_read(base, lock, &mut copy) }?;
        Ok(copy)
    }
`

const viewMutHead = `
/// A page for writing, wherever in memory it is. It wakes nobody: a writer of a
/// file does, and others have to.
#[derive(Debug)]
pub struct ViewMut<'a> {
    base: *mut u8,
    page: core::marker::PhantomData<&'a mut $PAGE>,
}

// SAFETY: the memory belongs to no thread; writing takes an exclusive borrow.
unsafe impl Send for ViewMut<'_> {}
// SAFETY: shared borrows only lead to atomic accesses.
unsafe impl Sync for ViewMut<'_> {}

impl<'a> ViewMut<'a> {
    /// Binds to a page that was formatted before; call ·recover· if another writer
    /// may have left it. Refuses what [·View::from_ptr·] refuses.
    ///
    /// # Safety
    /// The memory is writable during ·'a·, this is its only writer, and its readers
    /// follow the protocol.
    pub unsafe fn from_ptr(base: *mut u8, len: usize) -> Result<Self, shmkv::Fault> {
        view::check_place(base, len, &$PAGE::LAYOUT)?;
        // SAFETY: readable for this size, by the contract.
        unsafe { view::check_stamps(base, &$PAGE::LAYOUT) }?;
        let page = core::marker::PhantomData;
        Ok(ViewMut { base, page })
    }

    /// Binds to bytes that nobody else accesses meanwhile.
    pub fn from_bytes(bytes: &'a mut [u8]) -> Result<Self, shmkv::Fault> {
        // SAFETY: writable during 'a, and borrowed against everyone else.
        unsafe { Self::from_ptr(bytes.as_mut_ptr(), bytes.len()) }
    }

    /// Makes a page of memory that is zero: writes the stamps, the magic last.
    ///
    /// # Safety
    /// As for ·from_ptr·; every byte is zero.
    pub unsafe fn format(base: *mut u8, len: usize) -> Result<Self, shmkv::Fault> {
        view::check_place(base, len, &$PAGE::LAYOUT)?;
        // SAFETY: writable and zero, by the contract.
        unsafe { view::write_stamps(base, &$PAGE::LAYOUT) };
        let page = core::marker::PhantomData;
        Ok(ViewMut { base, page })
    }

    /// Repairs what a writer that was killed may have left. A corrupt page is left
    /// as it is, or emptied where ·reset· says so.
    pub fn recover(&mut self, reset: bool) -> protocol::Recovery {
        // SAFETY: a page of this layout, and this is its only writer.
        unsafe { view::recover_page(self.base, &$PAGE::LAYOUT, reset) }
    }

    /// The page for reading.
    pub fn as_view(&self) -> View<'_> {
        let page = core::marker::PhantomData;
        View {
            base: self.base,
            page,
        }
    }
`

const viewMutPublish = `
    /// Publishes one update and returns its id.
    pub fn publish_record(&mut self, record: &$SLOT) -> u64 {
        let (lock, ring) = (&$PAGE::SEQLOCK, &$PAGE::RING);
        let from: *const $SLOT = record;
        // SAFETY: a page of this layout, its only writer, a record of its ring.
        unsafe { protocol::publish(self.base, lock, ring, from.cast()) }
    }
`

const viewMutUpdateCounted = `
    /// Changes everything that the seqlock guards in one step: readers see all of it
    /// or nothing. Returns the new counter. The counter in the copy is not written.
    pub fn update(&mut self, change: impl FnOnce(&mut $SNAPSHOT)) -> u64 {
        let mut copy = shmkv::Plain::zeroed();
        // SAFETY: a page of this layout, its only writer, the copy of its seqlock.
        unsafe { view::update(self.base, &$PAGE::SEQLOCK, &mut copy, change) }
    }
`

const viewMutUpdate = `
    /// Changes everything that the seqlock guards in one step: readers see all of it
    /// or nothing.
    pub fn update(&mut self, change: impl FnOnce(&mut $SNAPSHOT)) {
        let mut copy = shmkv::Plain::zeroed();
        // SAFETY: a page of this layout, its only writer, the copy of its seqlock.
        unsafe { view::update(self.base, &$PAGE::SEQLOCK, &mut copy, change) };
    }
`

const viewMutGuarded = `
    /// Changes $EACH in one step.
    pub fn update_$FIELD(&mut self$PARAM, change: $CHANGE) -> Result<(), shmkv::Fault> {
        let mut copy = shmkv::Plain::zeroed();
        let at = view::guarded_at(&$PAGE::LAYOUT, $WHICH, $INDEX)?;
        let base = self.base.wrapping_add(at);
        let lock = &$TYPE::SEQLOCK;
        // SAFETY: such a record is there; its only writer; the copy of its seqlock.
        unsafe { view::update(base, lock, &mut copy, change) };
        Ok(())
    }
`
