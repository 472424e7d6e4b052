//! What became of each gene: its value in the best individual, and its mean and standard deviation over the saved ones, by
//! generation.

use std::fmt::Write as _;

use turncoat_api::GenePoint;
use turncoat_util::escape_html;

use crate::chart::number;
use crate::genetic::run::IndividualsRecord;
use crate::genetic::{Gene, Layout};

/// Points of a curve at most, and generations of the table.
pub(in crate::genetic) const POINTS: usize = 80;
const COLUMNS: usize = 8;

/// Where curves are drawn.
const WIDTH: f64 = 180.0;
const HEIGHT: f64 = 110.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 174.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 92.0;

/// The way of one gene.
pub(in crate::genetic) struct GeneCourse<'a> {
    pub(in crate::genetic) gene: &'a Gene,
    pub(in crate::genetic) points: Vec<GenePoint>,
}

/// The ways of all genes, in their order.
pub(in crate::genetic) fn courses<'a>(layout: &'a Layout, records: &[IndividualsRecord]) -> Vec<GeneCourse<'a>> {
    let mut courses: Vec<GeneCourse<'_>> =
        layout.genes().iter().map(|gene| GeneCourse { gene, points: Vec::new() }).collect();
    for record in records {
        let values: Vec<Vec<f64>> =
            record.individuals.iter().map(|rated| layout.values(&rated.individual.genome)).collect();
        let Some(best) = values.first() else {
            continue;
        };
        let count = values.len() as f64;
        for (index, course) in courses.iter_mut().enumerate() {
            let mean = values.iter().map(|own| own[index]).sum::<f64>() / count;
            let squares: f64 = values.iter().map(|own| (own[index] - mean) * (own[index] - mean)).sum();
            let deviation = (squares / count).sqrt();
            course.points.push(GenePoint { generation: record.generation, best: best[index], mean, deviation });
        }
    }
    courses
}

/// All numbers as a table for other programs: a line for each gene of each generation.
pub(super) fn csv(courses: &[GeneCourse<'_>]) -> String {
    let mut table = "generation,gene,best,mean,deviation\n".to_owned();
    let generations = courses.first().map_or(0, |course| course.points.len());
    for index in 0..generations {
        for course in courses {
            let GenePoint { generation, best, mean, deviation } = course.points[index];
            let _ = writeln!(table, "{generation},\"{}\",{best},{mean},{deviation}", course.gene.name);
        }
    }
    table
}

/// The curves and the table on the page.
pub(super) fn html(courses: &[GeneCourse<'_>]) -> String {
    let mut html = "<h2>Every gene by generation</h2>\n\
                    <p>The line is the best individual; the band is the mean of the saved ones, give or take their \
                    standard deviation.</p>\n<div class=\"genes\">\n"
        .to_owned();
    for course in courses {
        html +=
            &format!("<figure><figcaption>{}</figcaption>{}</figure>\n", escape_html(&course.gene.name), course.draw());
    }
    html += "</div>\n<details><summary>The best individual's parameters in numbers</summary>\n<div class=\"scroll\">\n";
    html + &numbers(courses) + "</div></details>\n"
}

/// The best individual's parameters at some generations.
fn numbers(courses: &[GeneCourse<'_>]) -> String {
    let mut html = "<table>\n<tr><th>generation".to_owned();
    let shown = courses.first().map_or_else(Vec::new, |course| evenly(&course.points, COLUMNS));
    html.extend(shown.iter().map(|point| format!("<th>{}", point.generation)));
    html += "</tr>\n";
    for course in courses {
        html += &format!("<tr><td>{}", escape_html(&course.gene.name));
        let values = evenly(&course.points, COLUMNS);
        html.extend(values.iter().map(|point| format!("<td>{}", short(point.best))));
        html += "</tr>\n";
    }
    html + "</table>\n"
}

impl GeneCourse<'_> {
    /// A small curve.
    fn draw(&self) -> String {
        let points = evenly(&self.points, POINTS);
        let ends = |point: &GenePoint| {
            let (low, high) = (point.mean - point.deviation, point.mean + point.deviation);
            (low.min(point.best), high.max(point.best))
        };
        let (low, high) = points
            .iter()
            .map(ends)
            .fold((f64::MAX, f64::MIN), |(low, high), (own_low, own_high)| (low.min(own_low), high.max(own_high)));
        let (first, last) = match (points.first(), points.last()) {
            (Some(first), Some(last)) => (first.generation, last.generation),
            _ => return String::new(),
        };
        // A flat line lies in the middle.
        let margin = if high > low { 0.0 } else { 0.5 };
        let (low, high) = (low - margin, high + margin);
        let span = f64::from((last - first).max(1));
        let place = |generation: u32, value: f64| {
            let x = LEFT + f64::from(generation - first) / span * (RIGHT - LEFT);
            format!("{x:.1},{:.1}", BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP))
        };
        let lower = points.iter().map(|point| place(point.generation, point.mean - point.deviation));
        let upper = points.iter().rev().map(|point| place(point.generation, point.mean + point.deviation));
        let band: Vec<String> = lower.chain(upper).collect();
        let line: Vec<String> = points.iter().map(|point| place(point.generation, point.best)).collect();
        format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"11\" fill=\"#333\"><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"6\" fill=\"#fdfcf8\"/>\
             <path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#bbb\"/>\
             <g text-anchor=\"end\"><text x=\"30\" y=\"16\">{}</text><text x=\"30\" y=\"{BOTTOM}\">{}</text>\
             <text x=\"{RIGHT}\" y=\"105\">{last}</text></g><text x=\"{LEFT}\" y=\"105\">{first}</text>\
             <polygon points=\"{}\" fill=\"#2166ac\" fill-opacity=\".2\"/>\
             <polyline points=\"{}\" fill=\"none\" stroke=\"#c85a14\" stroke-width=\"1.5\"/></svg>",
            escape_html(&self.gene.name),
            short(high),
            short(low),
            band.join(" "),
            line.join(" ")
        )
    }
}

/// A number in three digits or so.
fn short(value: f64) -> String {
    let digits: f64 = if value.abs() >= 100.0 { 1.0 } else { 100.0 };
    number((value * digits).round() / digits)
}

/// At most so many of some items, the first and the last among them.
pub(in crate::genetic) fn evenly<T: Clone>(items: &[T], most: usize) -> Vec<T> {
    if items.len() <= most {
        return items.to_vec();
    }
    (0..most).map(|place| items[place * (items.len() - 1) / (most - 1)].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_the_last_are_always_shown() {
        let all: Vec<u32> = (1..=300).collect();
        assert_eq!(evenly(&all[..3], 8), [1, 2, 3]);
        let some = evenly(&all, 8);
        assert_eq!((some.len(), some[0], some[7]), (8, 1, 300));
        assert_eq!([short(0.123_456), short(-63.0), short(1234.56), short(-0.001)], ["0.12", "-63", "1235", "0"]);
    }
}
