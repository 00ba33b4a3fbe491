use tesuji_core::perft;
use tesuji_games::{goban::*, *};
fn main() {
    for (n, d) in [(2, 20), (3, 3), (5, 4), (9, 3)] {
        let mut v = vec![];
        for k in 1..=d {
            let c = perft(&Go::<UpTo10>::new(GoRules { size: n, ..GoRules::default() }).unwrap(), k);
            v.push(c.to_string());
            if c == 0 || c > 3_000_000 {
                break;
            }
        }
        println!("go {n} : {}", v.join(" "));
    }
    for (n, d) in [(2, 20), (3, 20), (4, 4), (9, 3)] {
        let mut v = vec![];
        for k in 1..=d {
            let c = perft(&NoGo::<UpTo10>::new(n).unwrap(), k);
            v.push(c.to_string());
            if c == 0 || c > 30_000_000 {
                break;
            }
        }
        println!("nogo {n} : {}", v.join(" "));
    }
    for (n, d) in [(2, 20), (3, 20), (7, 4), (9, 3)] {
        let mut v = vec![];
        for k in 1..=d {
            let c = perft(&Atarigo::<UpTo10>::new(n).unwrap(), k);
            v.push(c.to_string());
            if c == 0 || c > 30_000_000 {
                break;
            }
        }
        println!("atarigo {n} : {}", v.join(" "));
    }
}
