import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENT_TYPES } from '../../domain/records/event-types.js';

test('docs/events.md has every type with its meaning', () => {
  const page = readFileSync(new URL('../../docs/events.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `([a-z_]+\.[a-z_]+)` +\| (.+?) +\|$/gm)].map(([, type, means]) => [
    type,
    means,
  ]);
  expect(Object.fromEntries(rows)).toEqual(EVENT_TYPES);
});
