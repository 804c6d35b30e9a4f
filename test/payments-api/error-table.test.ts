import { expect, test } from 'vitest';
import { PaymentsApiError } from '../../payments-api/errors.js';
import { errorRow } from '../../payments-api/error-table.js';

const EXPECTED: Readonly<Record<string, string>> = {
  ZPUNP: `00 invalid_request
    01 account_unusable, 02 account_unusable, 03 account_unusable, 04 account_unusable
    05 account_unusable, 06 service_down, 07 alias_unknown, 08 alias_unknown
    09 not_configured`,
  ZPPGN: '00 invalid_request',
  ZPAGR: `00 duplicate_uid, 01 not_configured
    02 invalid_request, 03 invalid_request, 04 invalid_request, 05 invalid_request
    06 invalid_request, 07 invalid_request, 08 invalid_request, 09 invalid_request
    10 invalid_request, 11 invalid_request
    12 account_unusable, 13 account_unusable, 14 account_unusable
    15 limit, 16 limit, 17 invalid_request, 18 invalid_request`,
  ZPPAY: `00 duplicate_uid, 01 limit, 02 over_limit, 03 wrong_state
    04 differs_from_agreement, 05 differs_from_agreement, 06 differs_from_agreement
    07 terms_forbid, 08 terms_forbid, 09 terms_forbid, 10 terms_forbid
    11 invalid_request, 12 terms_forbid, 13 terms_forbid, 14 terms_forbid
    15 terms_forbid, 16 terms_forbid, 17 terms_forbid, 18 terms_forbid
    19 terms_forbid, 20 terms_forbid, 21 terms_forbid, 22 unknown_resource
    23 differs_from_agreement, 24 service_down, 25 not_configured`,
  ZPPRY: `00 wrong_state, 01 over_limit, 02 terms_forbid, 03 too_soon
    04 terms_forbid, 05 terms_forbid`,
  ZPAMN: `00 wrong_state, 01 amendment_pending, 02 invalid_request, 03 no_change
    04 terms_forbid, 05 not_configured, 06 invalid_request, 07 invalid_request
    08 terms_forbid`,
  ZPARE: '00 wrong_state, 01 already_processing, 02 no_amendment',
  ZPCAN: '00 wrong_state, 01 already_processing',
  ZPSUS: '00 wrong_state, 01 already_processing',
  ZPREA: '00 wrong_state, 01 already_processing',
  ZPREF: `00 duplicate_uid, 01 unknown_resource, 02 wrong_state, 03 unknown_resource
    04 account_unusable, 05 account_unusable, 06 over_limit, 07 insufficient_funds
    09 terms_forbid, 10 invalid_request, 12 invalid_request`,
  ZPADD: `01 alias_unknown, 02 limit, 03 limit, 04 limit
    98 service_down`,
  ZCOPR: `00 unconfirmed, 01 unconfirmed, 02 account_unusable, 04 limit
    05 limit, 06 limit, 07 limit`,
  ZCLT: '05 not_configured',
};

const CODES = Object.entries(EXPECTED).flatMap(([family, rows]) =>
  rows.split(/,|\n/).map((written) => {
    const [digits = '', means = ''] = written.trim().split(' ');
    return [`${family}${digits}`, means] as const;
  }),
);

test('the table has all documented codes', () => {
  expect(CODES).toHaveLength(104);
});

test.each(CODES)('%s means %s', (code, means) => {
  expect(errorRow(code)).toMatchObject({ means });
  expect(errorRow(code)).not.toBe(errorRow(code.replace(/\d+$/, '77')));
});

test.each(CODES)('%s has advice of one sentence', (code) => {
  const { advice } = errorRow(code) ?? {};
  expect(advice).toMatch(/^[A-Z][^\n]{10,150}\.$/);
  expect(advice).not.toMatch(/Z[A-Z]{3,4}\d/);
});

test.each(Object.keys(EXPECTED))('an unknown code of family %s gets the advice of its family', (family) => {
  const row = errorRow(`${family}77`);
  expect(row).toMatchObject({ means: 'unrecognised', advice: expect.stringMatching(/\.$/) as string });
  expect(errorRow(`${family}770`)).toBe(row);
});

test.each(['', 'ZPXXX00', 'ZPAGR', 'zpagr00', 'ZPAGR00 ', 'AM04', 'constructor', '__proto__00', 'UKNWN'])(
  '%j has no row',
  (code) => {
    expect(errorRow(code)).toBeUndefined();
  },
);

const failed = (...codes: (string | undefined)[]) =>
  new PaymentsApiError('rejected', 'm', { problems: codes.map((code) => ({ code })) });

test('an error has the meaning of its first known code and lists all refusals', () => {
  const error = failed(undefined, 'QQ1', 'ZPCAN01', 'ZPAGR00');
  expect(error.means).toBe('already_processing');
  expect(error.advice).toBe(errorRow('ZPCAN01')?.advice);
  expect(error.refusals).toEqual(['ZPCAN01', 'ZPAGR00'].map((code) => ({ code, ...errorRow(code) })));
});

test.each([[failed()], [failed('QQ1')], [new PaymentsApiError('unavailable', 'm')]])(
  'an error without a known code has no meaning and no refusals (case %#)',
  (error) => {
    expect(error).toMatchObject({ means: undefined, advice: undefined, refusals: [] });
  },
);
