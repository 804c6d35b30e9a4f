/**
 * The style of the page at /docs. It sets the viewer's custom properties. The viewer has no dark theme, and the contrast of its
 * own menu is too low (WCAG 2.1 AA). The viewer reads some colors with a script (`--red` and so on): write them as hexadecimal.
 */
export const STYLE = `html {
  color-scheme: light dark;
}
body {
  margin: 0;
}
openapi-explorer {
  --font-regular: system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  --font-mono: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  --font-size-small: 15px;
  --font-size-regular: 16px;
  --font-size-mono: 14px;
  --fg: #24292f;
  --fg2: #32383f;
  --fg3: #424a53;
  --light-fg: #57606a;
  --placeholder-color: #57606a;
  --primary-color: #1f4f6e;
  --secondary-color: #8a4b00;
  --header-bg: #1f4f6e;
  --nav-bg-color: #f3f6f8;
  --nav-text-color: #32383f;
  --nav-hover-bg-color: #e3eaef;
  --nav-hover-text-color: #14181c;
  --inline-code-fg: #8f1d1d;
  --code-fg: #424a53;
  --code-operator-color: #7a4f1d;
  --purple: #6639ba;
  --red: #b42332;
  --orange: #9a4b00;
  --yellow: #7d5800;
  --green: #116329;
  --blue: #0a5da8;
  --gray: #465865;
}
@media (prefers-color-scheme: dark) {
  openapi-explorer {
    --bg: #14181c;
    --bg2: #1a1f24;
    --bg3: #20262c;
    --light-bg: #2b333b;
    --fg: #e6edf3;
    --fg2: #d5dde4;
    --fg3: #c3ccd4;
    --light-fg: #a9b4be;
    --placeholder-color: #98a4af;
    --border-color: #3a444d;
    --light-border-color: #2f3840;
    --input-bg: #0f1316;
    --hover-color: #20262c;
    --selection-bg: #e6edf3;
    --selection-fg: #14181c;
    --primary-color: #8cc8f0;
    --primary-btn-text-color: #0b1a24;
    --header-bg: #8cc8f0;
    --header-fg: #0b1a24;
    --secondary-color: #ffc247;
    --nav-bg-color: #0e2635;
    --nav-text-color: #e4edf3;
    --nav-hover-bg-color: #17384d;
    --nav-hover-text-color: #ffffff;
    --inline-code-fg: #ffaba8;
    --code-fg: #c3ccd4;
    --code-property-color: #ff9ec4;
    --code-keyword-color: #7cc4ff;
    --code-operator-color: #e0b582;
    --purple: #c4a6ff;
    --red: #ff8f8f;
    --orange: #ffae70;
    --yellow: #f2cc60;
    --green: #6fdd8b;
    --blue: #79c0ff;
    --gray: #b1bac4;
    --light-purple: #2a2140;
    --light-red: #3d1f22;
    --light-orange: #3a2815;
    --light-yellow: #352d12;
    --light-green: #16301d;
    --light-blue: #15283d;
    --light-gray: #262c33;
  }
}
`;

/** The style of the pages at /docs/<page>, for light and dark themes, and for screens from 375 px. */
export const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --link: light-dark(#1f4f6e, #8cc8f0);
  --line: light-dark(#d0d7de, #3a444d);
  --soft: light-dark(#f3f6f8, #1a1f24);
}
body {
  margin: 0 auto;
  max-width: 84rem;
  display: grid;
  grid-template-columns: 15rem minmax(0, 1fr);
  font: 1rem/1.55 system-ui, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif;
  color: light-dark(#24292f, #e6edf3);
  background: light-dark(#fff, #14181c);
}
nav {
  padding: 1rem 1.5rem;
  border-right: 1px solid var(--line);
}
nav h2 {
  font-size: 0.9rem;
  margin: 1.2rem 0 0.2rem;
}
nav ul {
  list-style: none;
  margin: 0;
  padding: 0;
}
nav a[aria-current] {
  font-weight: 700;
}
main {
  padding: 0.5rem 2rem 4rem;
  overflow-wrap: break-word;
}
a {
  color: var(--link);
}
pre,
code {
  font: 0.9rem/1.45 ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace;
  background: var(--soft);
}
pre {
  padding: 0.8rem;
  overflow-x: auto;
}
.wide {
  overflow-x: auto;
}
table {
  border-collapse: collapse;
  font-size: 0.92rem;
}
th,
td {
  border: 1px solid var(--line);
  padding: 0.3rem 0.6rem;
  text-align: left;
  vertical-align: top;
}
.jump {
  display: none;
}
@media (max-width: 60rem) {
  body {
    display: flex;
    flex-direction: column;
  }
  .jump {
    display: block;
    padding: 1rem 1.5rem 0;
  }
  nav {
    order: 1;
    border: 0;
    border-top: 1px solid var(--line);
  }
  main {
    padding: 0.5rem 1.5rem 4rem;
  }
}
`;
