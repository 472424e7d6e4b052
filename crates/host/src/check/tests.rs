use turncoat_board::Geometry;

use super::*;

/// Late so often because of the machine, then late by itself or in time.
struct Slow {
    held_up: usize,
    asked: usize,
    is_late: bool,
}

impl Bot for Slow {
    fn answer(&mut self, _: &Game, _: &Test, case: &mut Case) {
        self.asked += 1;
        case.held_up = self.asked <= self.held_up;
        if case.held_up || self.is_late {
            case.fail(Fault::Timeout(String::new()));
        }
    }

    fn start_up(&self) -> Duration {
        Duration::ZERO
    }
}

#[test]
fn an_answer_that_the_machine_held_up_is_asked_for_again_but_not_for_ever() {
    let test = Test {
        random: 0,
        seed: 1,
        limit: Duration::from_secs(1),
        forbids_os: false,
        all: false,
        stop: StopFlag::default(),
    };
    let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    let asked = Case {
        number: 1,
        position: game.position(),
        expected: String::new(),
        came: String::new(),
        took: Duration::ZERO,
        interrupted: false,
        held_up: false,
        fault: None,
        complaints: Vec::new(),
    };
    for (held_up, is_late, times, passes) in
        [(0, false, 1, true), (1, false, 2, true), (9, false, 3, false), (0, true, 1, false)]
    {
        let mut bot = Slow { held_up, asked: 0, is_late };
        let case = ask(&mut bot, &game, &test, &asked);
        assert_eq!((bot.asked, case.complaints.is_empty()), (times, passes), "{held_up} {is_late}");
    }
}
