package ctest

// Long has names of forty characters, and documentation that could end
// a comment early or join lines.
const Long = `
layout: a_layout_whose_name_has_forty_characters
doc: >-
  Documentation that goes on and on, to see that no line grows without bound, and that holds
  what could end a comment: */ or join two lines: \ and ??/ also ünïcödé, "quotes" and \
size: 8192
page:
  magic_text_whose_name_has_forty_characte: {at: 0, type: "char[8]", role: magic, const: 'a"b\c?'}
  sequence_word_whose_name_has_40_characte: {type: u32, role: seqlock, doc: 'ends in ??/',
    guards: [counter_word_whose_name_has_40_character, ring_of_records_whose_name_has_40_chars]}
  futex_word_whose_name_has_forty_characte: {type: u32, role: futex,
    follows: counter_word_whose_name_has_40_character, doc: 'ends in \'}
  counter_word_whose_name_has_40_character: {type: u64, role: counter}
  ring_of_records_whose_name_has_40_chars: {at: 64, role: ring,
    type: "a_record_whose_name_has_forty_characters[5]",
    index: counter_word_whose_name_has_40_character}
  several_texts_whose_name_has_forty_chars: {type: "char[7][3][2]"}
  an_enumeration_field_with_forty_charactr: an_enumeration_of_forty_characters_lengt
  cells_of_a_guarded_record_of_forty_chars: "a_guarded_record_of_forty_characters_len[2]"
records:
  a_record_whose_name_has_forty_characters:
    size: 48
    fields:
      a_text_field_whose_name_has_forty_charac: "char[20]"
      b_text_field_whose_name_has_forty_charac: "char[3][2]"
      c_bool_field_whose_name_has_forty_charac: "bool[2]"
      d_bool_field_whose_name_has_forty_charac: "bool"
  a_guarded_record_of_forty_characters_len:
    fields:
      sequence_word_of_forty_characters_length: {type: u32, role: seqlock,
        guards: [value_in_a_guarded_record_of_forty_chars]}
      unguarded_word_of_forty_characters_lengt: u32
      value_in_a_guarded_record_of_forty_chars: f64
enums:
  an_enumeration_of_forty_characters_lengt:
    type: u8
    values: {first_value_of_the_enumeration_of_forty_: 0, second: 1}
`

// Waiters has a waiters word, so that writers without sleepers wake nobody.
const Waiters = `
layout: quiet
size: 4096
page:
  magic: {at: 0, type: "char[8]", role: magic, const: QUIET}
  seq: {type: u32, role: seqlock, guards: [counter, ring]}
  wake: {type: u32, role: futex, follows: counter}
  counter: {type: u64, role: counter}
  sleepers: {type: u32, role: waiters}
  ring: {at: 64, type: "sample[4]", role: ring, index: counter}
records:
  sample: {fields: {value: u64}}
`

// LongRing has too many records for the stack of a careful user.
const LongRing = `
layout: history
size: 1048576
page:
  seq: {at: 0, type: u32, role: seqlock, guards: [counter, ring]}
  wake: {type: u32, role: futex, follows: counter}
  counter: {type: u64, role: counter}
  ring: {at: 64, type: "event[3000]", role: ring, index: counter}
records:
  event: {size: 20, fields: {what: u32}}
`

// Pose has no ring: a few fields that change together.
const Pose = `
layout: robot
size: 4096
page:
  magic: {at: 0, type: "char[8]", role: magic, const: ROBOT}
  version: {type: u32, role: version, const: 7}
  seq: {type: u32, role: seqlock, guards: [counter, x, y, theta, name]}
  print: {type: u64, role: fingerprint}
  counter: {type: u64, role: counter}
  wake: {type: u32, role: futex, follows: counter}
  x: {at: 64, type: f64}
  y: f64
  theta: f32
  name: "char[12]"
  battery: {at: 128, type: f32}
  title: "char[8]"
  armed: bool
  cells: {at: 192, type: "cell[3]"}
records:
  cell:
    fields:
      seq: {type: u32, role: seqlock, guards: [volts, amps]}
      alarm: u32
      volts: f64
      amps: f64
`

// Clashes has names that meet those of a class, of a function and of the C
// library.
const Clashes = `
layout: clock
size: 4096
page:
  seq: {at: 0, type: u32, role: seqlock, guards: [counter, ring]}
  counter: {at: 8, type: u64, role: counter}
  wake: {at: 16, type: u32, role: futex, follows: counter}
  ring: {at: 64, type: "time[3]", role: ring, index: counter}
  slot: {type: a}
  snapshot: "read[2]"
  basic_view: u32
records:
  publish: {fields: {x: u8}}
  time:
    size: 64
    fields: {time: "char[8]", text: u8, value: u16, index: u32, writer: u32, id: u64,
      record: bool, clock: u8}
  a: {fields: {b_c: "char[4]", set_c: bool}}
  read:
    fields: {seq: {type: u32, role: seqlock, guards: [slot]}, slot: u32, update: u32}
`
