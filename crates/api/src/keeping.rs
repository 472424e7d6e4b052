//! Games that a server keeps.

use serde::{Deserialize, Serialize};
use turncoat_board::Color;
use turncoat_players::check_name;
use turncoat_record::transcript;

#[cfg(feature = "openapi")]
use crate::game::Side;
use crate::{ApiFault, Code, GameText, OutcomeView};

/// The longest name of a player that is kept, in bytes.
const LONGEST_NAME: usize = 200;

/// A game to keep.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct KeepRequest {
    /// The game.
    pub game: GameText,
    /// Who plays black: `human`, or a player as in `turncoat:level=3`.
    pub black: String,
    /// Who plays white.
    pub white: String,
    /// Who resigned or ran out of time.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Side>))]
    pub loser: Option<Color>,
    /// The kept game as the client last saw it; if it has changed since, it is not replaced.
    #[serde(default)]
    pub seen: Option<LastSeen>,
}

/// How far a kept game had got when a client saw it.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct LastSeen {
    /// Its transcript, as the server wrote it.
    pub moves: String,
    /// Who had resigned or run out of time.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Side>))]
    pub loser: Option<Color>,
}

impl LastSeen {
    /// Whether this is how far the game has got.
    pub fn matches(&self, game: &SavedGame) -> bool {
        self.moves == game.moves && self.loser == game.loser
    }
}

/// A game that has been checked, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SavedGame {
    /// `reversed` or `reversi`.
    pub variant: String,
    /// Squares a side.
    pub size: u8,
    /// The position that it began with.
    pub start: String,
    /// Its transcript.
    pub moves: String,
    /// Who plays black: `human`, or a player as in `turncoat:level=3`.
    pub black: String,
    /// Who plays white.
    pub white: String,
    /// Who resigned or ran out of time.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<Side>))]
    pub loser: Option<Color>,
}

impl TryFrom<KeepRequest> for SavedGame {
    type Error = ApiFault;

    fn try_from(request: KeepRequest) -> Result<Self, ApiFault> {
        let game = request.game.parse()?;
        for name in [&request.black, &request.white] {
            if name.len() > LONGEST_NAME {
                let error = format_args!("a player is named in at most {LONGEST_NAME} bytes");
                return Err(ApiFault::new(Code::NameTooLong, error).with("most", LONGEST_NAME));
            }
            check_name(name)?;
        }
        Ok(Self {
            variant: game.variant().name().to_owned(),
            size: game.geometry().side(),
            start: game.start().to_string(),
            moves: transcript::write(&game),
            black: request.black,
            white: request.white,
            loser: request.loser,
        })
    }
}

/// A kept game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct KeptGame {
    /// Its number.
    pub id: i64,
    /// When it was last changed, in seconds since 1970.
    pub changed: i64,
    /// The game.
    #[serde(flatten)]
    pub game: SavedGame,
}

/// A kept game in a list, with its result on the board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ListedGame {
    /// The game.
    #[serde(flatten)]
    pub kept: KeptGame,
    /// How it ended on the board, if it did.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<OutcomeView>,
}

impl From<KeptGame> for ListedGame {
    fn from(kept: KeptGame) -> Self {
        let game = GameText::from(&kept.game).parse().ok();
        let outcome = game.and_then(|game| OutcomeView::new(game.position(), game.variant()));
        Self { kept, outcome }
    }
}
