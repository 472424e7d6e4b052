//! Games and positions in other formats.

use serde::Deserialize;
use turncoat_board::Move;
use turncoat_record::{Record, ggf, svg, transcript};

use crate::{ApiFault, GameText};

/// A game and the format that it is wanted in.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// The game.
    pub game: GameText,
    /// The format.
    pub to: ExportFormat,
    /// Who played black, for GGF.
    #[serde(default)]
    pub black: String,
    /// Who played white, for GGF.
    #[serde(default)]
    pub white: String,
    /// The server or tournament, for GGF.
    #[serde(default)]
    pub event: String,
    /// When it was played, for GGF.
    #[serde(default)]
    pub date: String,
}

/// A format to export to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// The position as text.
    Text,
    /// The moves.
    Transcript,
    /// The game in GGF.
    Ggf,
    /// A picture of the position.
    Svg,
}

impl ExportFormat {
    /// The media type of the format.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Text | Self::Transcript | Self::Ggf => "text/plain; charset=utf-8",
        }
    }
}

/// A game in another format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// Its media type.
    pub media_type: &'static str,
    /// The text.
    pub text: String,
}

/// Writes a game or its position in another format.
///
/// # Errors
/// If the game cannot be read.
pub fn export_game(request: &ExportRequest) -> Result<Exported, ApiFault> {
    let game = request.game.parse()?;
    let text = match request.to {
        ExportFormat::Text => game.position().to_string(),
        ExportFormat::Transcript => transcript::write(&game),
        ExportFormat::Ggf => {
            let ExportRequest { black, white, event, date, .. } = request.clone();
            ggf::write(&ggf::Ggf::new(Record { game, black, white, event, date }))
        }
        ExportFormat::Svg => {
            let marks = svg::Marks { last: game.moves().last().copied().and_then(Move::square), legal: false };
            svg::draw(game.position(), marks)
        }
    };
    Ok(Exported { media_type: request.to.media_type(), text })
}
