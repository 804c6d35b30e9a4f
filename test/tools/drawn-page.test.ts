import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_PAGE } from '../../tools/draw-agreement.js';
import { CONFIGURATION_PAGE } from '../../tools/draw-configuration.js';
import { ONBOARDING_PAGE } from '../../tools/draw-onboarding.js';
import { PAYMENT_PAGE, REASON_PAGE } from '../../tools/draw-payment.js';
import { drawn } from '../../tools/drawn-page.js';

describe.each([
  [AGREEMENT_PAGE, 'pending --> active: activated', 'pending --> active: wished'],
  [ONBOARDING_PAGE, 'client: `active`', 'client: `wished`'],
  [PAYMENT_PAGE, '`before_validity`', '`before_wish`'],
  [REASON_PAGE, '`AM04`', '`AM0X`'],
  [CONFIGURATION_PAGE, '`API_PORT`', '`API_DOOR`'],
])('drawn page $path', (page, said, changed) => {
  const read = () => readFile(new URL(`../../${page.path}`, import.meta.url), 'utf8');

  test('matches the code', async () => {
    const text = await read();
    expect(await drawn(text, page)).toBe(text);
  });

  test('replaces edits between the marks', async () => {
    const text = await read();
    const edited = text.replace(said, changed);
    expect(edited).not.toBe(text);
    expect(await drawn(edited, page)).toBe(text);
  });

  test('is refused without the marks', async () => {
    await expect(drawn('# Nothing here', page)).rejects.toThrow(`expected ${page.path} to contain the marks`);
  });
});
