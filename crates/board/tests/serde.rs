//! The serialized forms: those that plans, stores and the API have always had.
#![cfg(feature = "serde")]

use std::fmt::Debug;

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, from_value, json, to_value};
use turncoat_board::{Color, Geometry, Move, Position, Score, Square, VariantKind};

fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug + Copy>(value: T, form: Value) {
    assert_eq!(to_value(value).unwrap(), form);
    assert_eq!(from_value::<T>(form).unwrap(), value);
}

#[test]
fn every_type_has_its_form() {
    round_trips(VariantKind::Reversed, json!("reversed"));
    round_trips(VariantKind::Reversi, json!("reversi"));
    round_trips(Color::Black, json!("black"));
    round_trips(Color::White, json!("white"));
    for geometry in Geometry::ALL {
        round_trips(geometry, json!(geometry.side()));
        round_trips(Position::start(geometry), json!(Position::start(geometry).to_string()));
    }
    let square = Square::new(37).unwrap();
    round_trips(square, json!(37));
    round_trips(Move::Place(square), json!(37));
    round_trips(Move::Pass, json!(null));
    round_trips(Score::new(-12).unwrap(), json!(-12));
}

#[test]
fn other_values_are_refused_by_name() {
    let refused = |error: serde_json::Error| error.to_string();
    assert_eq!(
        refused(from_value::<VariantKind>(json!("chess")).unwrap_err()),
        "unknown variant `chess`, expected `reversed` or `reversi`"
    );
    assert_eq!(
        refused(from_value::<Geometry>(json!(5)).unwrap_err()),
        "no board has 5 squares a side: sizes are 8, 6 and 4"
    );
    assert!(refused(from_value::<Square>(json!(64)).unwrap_err()).contains("squares are 0 to 63"));
    assert!(refused(from_value::<Score>(json!(65)).unwrap_err()).contains("scores are -64 to +64"));
    assert!(refused(from_value::<Position>(json!("X- X")).unwrap_err()).contains("2 of its 64 cells"));
    assert!(from_value::<Color>(json!("Black")).is_err());
}
