// The stylesheet of the console: light and dark, from 375 to 1,600 pixels.
export const STYLE = `
:root { color-scheme: light dark; --text: #1b1b1f; --back: #fff; --soft: #f3f4f7; --line: #c4c8d2; --link: #0b57b0;
  --quiet: #565c69; --good: #0f6b34; --bad: #ad1320; --warn: #7a4b00; --good-back: #e5f5ea; --bad-back: #fdeaec;
  --warn-back: #fdf2dc; --settled: #1c7c43; --failed: #c2333f; }
@media (prefers-color-scheme: dark) { :root { --text: #e8e9ee; --back: #17181c; --soft: #22242a; --line: #4a4e59; --link: #8ab8ff;
  --quiet: #a9afbd; --good: #7ddba0; --bad: #ff9aa2; --warn: #f2c46d; --good-back: #16301f; --bad-back: #3a1a1e;
  --warn-back: #352812; --settled: #57b37d; --failed: #e5717b; } }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--back); }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--back); }
.skip:focus { left: 0; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .25rem 2rem; justify-content: space-between; align-items: center;
  padding: .5rem 1.5rem; background: var(--soft); border-bottom: 1px solid var(--line); }
header ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: 0; padding: 0; list-style: none; }
header a { display: inline-block; padding: .35rem 0; }
a[aria-current] { font-weight: 700; text-decoration: none; color: inherit; border-bottom: 3px solid var(--link); }
.session { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
main { max-width: 80rem; margin: 0 auto; padding: 1rem 1.5rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; }
h3 { font-size: 1rem; margin: .75rem 0 .25rem; }
p { margin: .5rem 0; max-width: 50rem; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
small, .hint { color: var(--quiet); font-size: .85rem; }
time small { white-space: nowrap; }
.lead { font-size: 1.15rem; }
code, pre { font: .9rem/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
pre { overflow-x: auto; padding: .75rem; background: var(--soft); border: 1px solid var(--line); border-radius: 6px; white-space: pre-wrap; }
dl { margin: .5rem 0; }
dl div { display: grid; grid-template-columns: minmax(8rem, 13rem) 1fr; gap: 0 1rem; padding: .3rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; overflow-wrap: anywhere; }
dd p { margin: 0; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 3rem; }
.scrolls { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem .45rem 0; border-bottom: 1px solid var(--line); }
th { font-size: .9rem; color: var(--quiet); }
td small { display: block; }
.figures { max-width: 40rem; }
.figures td { width: 38%; }
.money { font-variant-numeric: tabular-nums; white-space: nowrap; }
.state { display: inline-block; padding: 0 .55rem; border-radius: 1rem; border: 1px solid currentcolor; font-size: .9rem; white-space: nowrap; }
.state.good { color: var(--good); }
.state.bad { color: var(--bad); }
.flag { display: inline-block; padding: 0 .4rem; border-radius: 4px; background: var(--warn-back); color: var(--warn); font-size: .85rem; }
.notice { padding: .6rem 1rem; border-left: 4px solid; border-radius: 4px; margin: .75rem 0; max-width: 60rem; }
.notice h2 { margin-top: .25rem; }
.notice.good { background: var(--good-back); border-color: var(--good); }
.notice.bad { background: var(--bad-back); border-color: var(--bad); }
.notice.warn { background: var(--warn-back); border-color: var(--warn); }
.actions { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0; }
.actions a, button { display: inline-block; font: inherit; padding: .45rem 1rem; border: 1px solid var(--link); border-radius: 6px;
  background: transparent; color: var(--link); text-decoration: none; cursor: pointer; }
button { background: var(--link); color: var(--back); }
button.quiet { background: transparent; color: var(--link); padding: .2rem .75rem; }
button:disabled { opacity: .5; cursor: not-allowed; }
.stacked { max-width: 32rem; }
.stacked label { display: block; margin-top: .9rem; font-weight: 600; }
.stacked button { margin-top: 1rem; }
.stacked .hint { margin: .2rem 0 0; }
input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--quiet); border-radius: 6px; padding: .45rem .6rem; }
.stacked input, .stacked select { width: 100%; }
.filters { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; padding: .9rem; background: var(--soft); border-radius: 6px; margin-bottom: 1rem; }
.filters > div { flex: 0 1 11rem; }
.filters label { display: block; font-size: .9rem; }
.filters input, .filters select { width: 100%; }
.pager { display: flex; gap: 1.5rem; margin: 1rem 0; }
details { margin: .5rem 0; }
summary { cursor: pointer; padding: .25rem 0; }
figure { margin: 1rem 0; max-width: 60rem; }
figure svg { width: 100%; height: auto; display: block; }
figure.life { max-width: 30rem; }
figcaption { color: var(--quiet); font-size: .9rem; }
.bar-settled { fill: var(--settled); }
.bar-failed { fill: var(--failed); }
.axis { stroke: var(--line); }
.key::before { content: ""; display: inline-block; width: .7rem; height: .7rem; margin-right: .3rem; background: var(--settled); }
.key.failed::before { background: var(--failed); }
.life rect { fill: var(--back); stroke: var(--line); }
.life text { fill: var(--quiet); font-size: 11.5px; }
.life .now rect { fill: var(--link); stroke: var(--link); }
.life .now text { fill: var(--back); font-weight: 700; }
.arrow line { stroke: var(--line); }
.arrow polygon { fill: var(--line); }
.timeline { padding-left: 1.2rem; border-left: 2px solid var(--line); list-style: none; }
.timeline li { margin: 0 0 .9rem; }
.timeline p { margin: 0; }
.strip { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; list-style: none; }
.strip li { display: flex; flex-direction: column; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: 6px; }
.strip .warn { background: var(--warn-back); border-color: var(--warn); }
@media (max-width: 600px) {
  main, header { padding-left: 1rem; padding-right: 1rem; }
  dl div { grid-template-columns: 1fr; }
  .filters > div { flex: 1 1 45%; }
  header ul { column-gap: .8rem; }
}
`;
