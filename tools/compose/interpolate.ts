// Fills `${NAME}`, `${NAME:-default}` and `${NAME:?message}` into a compose document, as docker compose does.

type Variables = Readonly<Record<string, string | undefined>>;

/** One that contains no other: what is nested in a default is filled in first. */
const INNERMOST = /\$\{(?<name>[A-Za-z_]\w*)(?<how>:[-?])?(?<word>[^{}]*)\}/;

/** @throws Error with the file's own message where a variable is needed and missing or empty. */
export function interpolate(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return filled(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolate(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]: [string, unknown]) => [key, interpolate(item, variables)]),
  );
}

function filled(given: string, variables: Variables): string {
  let text = given;
  for (let found = INNERMOST.exec(text); found !== null; found = INNERMOST.exec(text)) {
    const { name = '', how, word = '' } = found.groups ?? {};
    const value = variables[name] ?? '';
    if (value === '' && how === ':?') throw new Error(word);
    const replacement = value === '' && how === ':-' ? word : value;
    text = text.slice(0, found.index) + replacement + text.slice(found.index + found[0].length);
  }
  return text;
}

/** Every variable that a text asks for. */
export function variablesIn(text: string): Set<string> {
  return new Set([...text.matchAll(/\$\{([A-Za-z_]\w*)/g)].flatMap(([, name]) => name ?? []));
}
