//! The squares that a move looks along, computed at compile time.

/// For each square the four rays towards higher indices (right, down, down-left, down-right), then
/// the four towards lower ones in the same order (left, up, up-right, up-left). The square itself is
/// not in its rays.
#[repr(C, align(64))]
pub(super) struct Rays(pub(super) [[u64; 8]; 64]);

/// Distance in the word of one step along each of the four directions.
pub(super) const STEPS: [u32; 4] = [1, 8, 7, 9];

pub(super) static RAYS: Rays = Rays(rays());

const fn rays() -> [[u64; 8]; 64] {
    // Row and column of one step, in the order above.
    const STEP: [(i32, i32); 8] = [(0, 1), (1, 0), (1, -1), (1, 1), (0, -1), (-1, 0), (-1, 1), (-1, -1)];
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut direction = 0;
        while direction < 8 {
            let (rows, columns) = STEP[direction];
            let (mut row, mut column) = (square as i32 / 8 + rows, square as i32 % 8 + columns);
            while row >= 0 && row < 8 && column >= 0 && column < 8 {
                rays[square][direction] |= 1 << (row * 8 + column);
                (row, column) = (row + rows, column + columns);
            }
            direction += 1;
        }
        square += 1;
    }
    rays
}
