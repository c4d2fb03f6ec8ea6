#[lens::trace]
#[unsafe(naked)]
extern "C" fn bare() {
    std::arch::naked_asm!("ret")
}

fn main() {
    bare();
}
