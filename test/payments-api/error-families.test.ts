// Every code of facts 5 has a row of its own: what it means, and whether the same call may help.
import { expect, test } from 'vitest';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { errorRow } from '../../payments-api/error-table.js';

/** By family: each code's digits, what it means, and when to ask again. */
const EXPECTED: Readonly<Record<string, string>> = {
  ZPUNP: `00 invalid_request never
    01 account_unusable never, 02 account_unusable never, 03 account_unusable never, 04 account_unusable never
    05 account_unusable never, 06 service_down later, 07 alias_unknown never, 08 alias_unknown never
    09 not_configured never`,
  ZPPGN: '00 invalid_request never',
  ZPAGR: `00 duplicate_uid look_up, 01 not_configured never
    02 invalid_request never, 03 invalid_request never, 04 invalid_request never, 05 invalid_request never
    06 invalid_request never, 07 invalid_request never, 08 invalid_request never, 09 invalid_request never
    10 invalid_request never, 11 invalid_request never
    12 account_unusable never, 13 account_unusable never, 14 account_unusable never
    15 limit_reached later, 16 limit_reached later, 17 invalid_request never, 18 invalid_request never`,
  ZPPAY: `00 duplicate_uid look_up, 01 limit_reached later, 02 limit_reached never, 03 state_forbids never
    04 differs_from_agreement never, 05 differs_from_agreement never, 06 differs_from_agreement never
    07 terms_forbid never, 08 terms_forbid later, 09 terms_forbid never, 10 terms_forbid never
    11 invalid_request never, 12 terms_forbid never, 13 terms_forbid never, 14 terms_forbid never
    15 terms_forbid never, 16 terms_forbid never, 17 terms_forbid later, 18 terms_forbid never
    19 terms_forbid never, 20 terms_forbid never, 21 terms_forbid never, 22 unknown_resource never
    23 differs_from_agreement never, 24 service_down later, 25 not_configured never`,
  ZPPRY: `00 state_forbids look_up, 01 limit_reached never, 02 terms_forbid never, 03 limit_reached later
    04 terms_forbid never, 05 terms_forbid never`,
  ZPAMN: `00 state_forbids look_up, 01 in_progress look_up, 02 invalid_request never, 03 nothing_to_do look_up
    04 terms_forbid never, 05 not_configured never, 06 invalid_request never, 07 invalid_request never
    08 terms_forbid never`,
  ZPARE: '00 state_forbids look_up, 01 in_progress look_up, 02 unknown_resource look_up',
  ZPCAN: '00 state_forbids look_up, 01 in_progress look_up',
  ZPSUS: '00 state_forbids look_up, 01 in_progress look_up',
  ZPREA: '00 state_forbids look_up, 01 in_progress look_up',
  ZPREF: `00 duplicate_uid look_up, 01 unknown_resource never, 02 state_forbids never, 03 unknown_resource never
    04 account_unusable never, 05 account_unusable never, 06 limit_reached never, 07 insufficient_funds later
    09 terms_forbid never, 10 invalid_request never, 12 invalid_request never`,
  ZPADD: `01 alias_unknown never, 02 limit_reached later, 03 limit_reached later, 04 limit_reached later
    98 service_down later`,
  ZCOPR: `00 unconfirmed never, 01 unconfirmed never, 02 account_unusable never, 04 limit_reached later
    05 limit_reached later, 06 limit_reached later, 07 limit_reached later`,
  ZCLT: '05 not_configured never',
};

const CODES = Object.entries(EXPECTED).flatMap(([family, rows]) =>
  rows.split(/,|\n/).map((written) => {
    const [digits = '', means = '', retry = ''] = written.trim().split(' ');
    return [`${family}${digits}`, means, retry] as const;
  }),
);

test('counts every code that is documented', () => {
  expect(CODES).toHaveLength(104);
});

test.each(CODES)('%s means %s: ask again %s', (code, means, retry) => {
  expect(errorRow(code)).toMatchObject({ means, retry });
  expect(errorRow(code)).not.toBe(errorRow(code.replace(/\d+$/, '77')));
});

test.each(CODES)('%s says what to do, in one plain sentence of its own', (code) => {
  const { advice } = errorRow(code) ?? {};
  expect(advice).toMatch(/^[A-Z][^\n]{10,150}\.$/);
  expect(advice).not.toMatch(/Z[A-Z]{3,4}\d/);
});

test.each(Object.keys(EXPECTED))('a code of %s that nobody knows yet has the row of its family', (family) => {
  const row = errorRow(`${family}77`);
  expect(row?.advice).toMatch(/\.$/);
  expect(errorRow(`${family}770`)).toBe(row);
});

test.each(['', 'ZPXXX00', 'ZPAGR', 'zpagr00', 'ZPAGR00 ', 'AM04', 'constructor', '__proto__00', 'UKNWN'])(
  'knows nothing of %j',
  (code) => {
    expect(errorRow(code)).toBeUndefined();
  },
);

const failed = (...codes: (string | undefined)[]) =>
  new PaymentsApiError('rejected', 'm', { problems: codes.map((code) => ({ code })) });

test('an error’s advice is that of the first code that is known', () => {
  expect(failed(undefined, 'QQ1', 'ZPCAN01', 'ZPAGR00').advice).toBe(errorRow('ZPCAN01'));
});

test.each([[failed()], [failed('QQ1')], [new PaymentsApiError('unavailable', 'm')]])(
  'an error without a known code has none',
  (error) => {
    expect(error.advice).toBeUndefined();
  },
);
