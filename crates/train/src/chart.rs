//! Line charts as SVG, for the reports of all kinds of training.

use std::fmt::Write as _;

use turncoat_util::escape_html;

/// Width, and height without the legend: for most screens, and for phones, where wide ones would be unreadable.
const WIDE: (f64, f64) = (860.0, 400.0);
const NARROW: (f64, f64) = (400.0, 290.0);
/// Width of a letter of the legend, on average.
const LETTER: f64 = 7.0;
/// Width of a legend's line with the space around it.
const SAMPLE: f64 = 38.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const AXIS: f64 = 44.0;
const LINE: f64 = 22.0;

/// Told apart by lightness as well as by hue.
const COLORS: [&str; 6] = ["#c85a14", "#2166ac", "#4d4d4d", "#5aae61", "#762a83", "#b8860b"];

/// A line of a chart.
pub(crate) struct Curve {
    label: String,
    points: Vec<(f64, f64)>,
    /// What the line is the average of.
    dots: Vec<(f64, f64)>,
    /// How sure the line is: where it may as well be, below and above.
    band: Vec<[(f64, f64); 2]>,
}

impl Curve {
    pub(crate) fn new(label: &str, points: Vec<(f64, f64)>) -> Self {
        Self { label: label.to_owned(), points, dots: Vec::new(), band: Vec::new() }
    }

    /// A line of means, each with its place and its standard error, in the band of the errors.
    pub(crate) fn with_errors(label: &str, means: &[(f64, f64, f64)]) -> Self {
        let band = means.iter().map(|&(x, mean, error)| [(x, mean - error), (x, mean + error)]);
        Self { band: band.collect(), ..Self::new(label, means.iter().map(|&(x, mean, _)| (x, mean)).collect()) }
    }

    /// A line through the averages of neighbouring points, which are dots.
    pub(crate) fn averaged(label: &str, points: Vec<(f64, f64)>) -> Self {
        let reach = (points.len() / 30).max(1);
        let average = |place: usize| {
            let near = &points[place.saturating_sub(reach)..(place + reach + 1).min(points.len())];
            let sum: f64 = near.iter().map(|(_, y)| y).sum();
            (points[place].0, sum / near.len() as f64)
        };
        Self {
            label: label.to_owned(),
            points: (0..points.len()).map(average).collect(),
            dots: points,
            band: Vec::new(),
        }
    }
}

/// A chart.
pub(crate) struct Chart {
    pub(crate) title: String,
    pub(crate) across: String,
    /// Whether values are shares, from 0 to 100 %.
    pub(crate) percent: bool,
    pub(crate) curves: Vec<Curve>,
}

/// Where values are drawn.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    right: f64,
    bottom: f64,
}

impl Frame {
    fn at(&self, (x, y): (f64, f64)) -> (f64, f64) {
        let share = |value: f64, (low, high): (f64, f64)| (value - low) / (high - low);
        (LEFT + share(x, self.x) * (self.right - LEFT), self.bottom - share(y, self.y) * (self.bottom - TOP))
    }
}

impl Chart {
    pub(crate) fn draw(&self) -> String {
        self.draw_in(WIDE)
    }

    /// The same chart for a phone.
    pub(crate) fn draw_narrow(&self) -> String {
        self.draw_in(NARROW)
    }

    fn draw_in(&self, (width, height): (f64, f64)) -> String {
        let letters = ((width - LEFT - SAMPLE - RIGHT) / LETTER) as usize;
        let labels: Vec<Vec<String>> = self.curves.iter().map(|curve| wrapped(&curve.label, letters)).collect();
        let full = height + LINE * labels.iter().map(Vec::len).sum::<usize>() as f64;
        let frame = Frame {
            x: self.range(|(x, _)| x),
            y: if self.percent { (0.0, 1.0) } else { self.range(|(_, y)| y) },
            right: width - RIGHT,
            bottom: height - AXIS,
        };
        let title = escape_html(&self.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {full}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"14\" fill=\"#333\">\n\
             <title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{full}\" rx=\"10\" fill=\"#fdfcf8\"/>\n\
             <text x=\"{LEFT}\" y=\"28\" font-size=\"17\" fill=\"#222\">{title}</text>\n"
        );
        self.draw_axes(&mut svg, &frame);
        let mut y = height;
        for (index, (curve, label)) in self.curves.iter().zip(labels).enumerate() {
            let color = COLORS[index % COLORS.len()];
            draw_curve(&mut svg, curve, color, &frame);
            let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}h28\" stroke=\"{color}\" stroke-width=\"3\"/>");
            for line in label {
                let (x, base, line) = (LEFT + SAMPLE, y + 5.0, escape_html(&line));
                let _ = writeln!(svg, "<text x=\"{x}\" y=\"{base:.1}\">{line}</text>");
                y += LINE;
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The least and the most of one coordinate, never the same.
    fn range(&self, of: impl Fn((f64, f64)) -> f64) -> (f64, f64) {
        let all = self.curves.iter().flat_map(|curve| curve.points.iter().chain(curve.band.iter().flatten()));
        let (low, high) =
            all.fold((f64::MAX, f64::MIN), |(low, high), &point| (low.min(of(point)), high.max(of(point))));
        if low < high {
            (low, high)
        } else if low > high {
            // There are no points at all.
            (0.0, 1.0)
        } else {
            (low - 0.5, high + 0.5)
        }
    }

    fn draw_axes(&self, svg: &mut String, frame: &Frame) {
        for tick in ticks(frame.y) {
            let (_, y) = frame.at((frame.x.0, tick));
            let label = if self.percent { format!("{:.0} %", tick * 100.0) } else { number(tick) };
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                frame.right,
                LEFT - 8.0,
                y + 5.0
            );
        }
        for tick in ticks(frame.x) {
            let (x, _) = frame.at((tick, frame.y.0));
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                frame.bottom + 20.0,
                number(tick)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#666\">{}</text>",
            frame.right,
            frame.bottom + 38.0,
            escape_html(&self.across)
        );
    }
}

fn draw_curve(svg: &mut String, curve: &Curve, color: &str, frame: &Frame) {
    for &dot in &curve.dots {
        let (x, y) = frame.at(dot);
        let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"{color}\" fill-opacity=\".3\"/>");
    }
    let path = |points: &mut dyn Iterator<Item = (f64, f64)>| -> String {
        // Shares and their errors stay within 0 and 100 %.
        let places = points.map(|(x, y)| frame.at((x, y.clamp(frame.y.0, frame.y.1))));
        places.map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
    };
    if !curve.band.is_empty() {
        // Along the lower edge, and back along the upper one.
        let mut edges = curve.band.iter().map(|[low, _]| *low).chain(curve.band.iter().rev().map(|[_, high]| *high));
        let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"{color}\" fill-opacity=\".2\"/>", path(&mut edges));
    }
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
        path(&mut curve.points.iter().copied())
    );
}

/// A label in lines of so many letters, broken between words.
fn wrapped(label: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in label.split_inclusive(' ') {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + word.trim_end().chars().count() > letters {
            lines.push(word.to_owned());
        } else {
            lines[last].push_str(word);
        }
    }
    lines
}

/// Four to ten round numbers within a range.
fn ticks((low, high): (f64, f64)) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(rough);
    let mut all = Vec::new();
    let mut tick = (low / step).ceil();
    while tick * step <= high + step * 1e-9 && all.len() < 20 {
        // Rounded, so that 0.6 does not become 0.6000000000000001; plus zero against a negative one.
        all.push((tick * step * 1e9).round() / 1e9 + 0.0);
        tick += 1.0;
    }
    all
}

/// A number without digits that say nothing.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 1e6).round() / 1e6;
    format!("{}", rounded + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks((0.0, 1.0)), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(ticks((1.0, 300.0)), [100.0, 200.0, 300.0]);
        assert_eq!(ticks((-59.0, 59.0)), [-50.0, 0.0, 50.0]);
    }

    #[test]
    fn a_chart_without_points_is_drawn_too() {
        let chart = Chart {
            title: "<nothing>".to_owned(),
            across: "generation".to_owned(),
            percent: false,
            curves: vec![
                Curve::new("none", Vec::new()),
                Curve::averaged("one", vec![(1.0, 2.0)]),
                Curve::with_errors("sure", &[(1.0, 2.0, 0.5), (2.0, 3.0, 0.0)]),
            ],
        };
        for svg in [chart.draw(), chart.draw_narrow()] {
            assert_eq!(svg.matches("<polygon").count(), 1);
            assert!(svg.contains("&lt;nothing&gt;") && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }

    #[test]
    fn long_labels_are_broken_between_words() {
        assert_eq!(wrapped("one against another", 30), ["one against another"]);
        assert_eq!(wrapped("one against another", 11), ["one against ", "another"]);
        assert_eq!(wrapped("unbreakable", 3), ["unbreakable"]);
        assert_eq!(wrapped("", 3), [""]);
    }
}
