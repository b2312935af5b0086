use std::time::Duration;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("no file named")?;
    let mut writer = shkv2::Writer::create(&path)?;
    writer.publish(b"from", b"Rust")?;
    let reader = shkv2::Reader::open(&path)?;
    for update in reader.updates().timeout(Duration::from_secs(2)).take(1) {
        let u = update?;
        println!("{} {} {}", u.id, u.slot.key(), u.slot.value());
    }
    Ok(())
}
