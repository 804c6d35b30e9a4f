import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { AGREEMENT_PAGE } from '../../tools/draw-agreement.js';
import { CONFIGURATION_PAGE } from '../../tools/draw-configuration.js';
import { ONBOARDING_PAGE } from '../../tools/draw-onboarding.js';
import { PAYMENT_PAGE } from '../../tools/draw-payment.js';
import { drawn } from '../../tools/drawn-page.js';

describe.each([
  [AGREEMENT_PAGE, 'pending --> active: activated', 'pending --> active: wished'],
  [ONBOARDING_PAGE, 'client: `active`', 'client: `wished`'],
  [PAYMENT_PAGE, 'failed --> retrying: retried', 'failed --> retrying: wished'],
  [CONFIGURATION_PAGE, '`API_PORT`', '`API_DOOR`'],
])('$path', (page, said, changed) => {
  const read = () => readFile(new URL(`../../${page.path}`, import.meta.url), 'utf8');

  test('is what the code says', async () => {
    const text = await read();
    expect(await drawn(text, page)).toBe(text);
  });

  test('an edit between the marks gives way to what the code says', async () => {
    const text = await read();
    const edited = text.replace(said, changed);
    expect(edited).not.toBe(text);
    expect(await drawn(edited, page)).toBe(text);
  });

  test('without the marks it is refused', async () => {
    await expect(drawn('# Nothing here', page)).rejects.toThrow(`expected ${page.path} to hold the marks`);
  });
});
