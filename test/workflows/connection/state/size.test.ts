import { expect, test } from 'vitest';
import { sealTokens } from '../../../../activities/tokens/seal.js';
import { bytesOf } from '../../../../domain/facts/retention.js';
import { flagCancelRequest } from '../../../../workflows/engine/flags.js';
import { carry } from '../../../../workflows/contracts/upgrade.js';
import * as states from '../../../../workflows/connection/state.js';
import { applyFailedCheck } from '../../../../workflows/connection/unconfirmed.js';
import { NOW, callers } from '../../../support/workflows/agreement-states.js';
import { KEYRING } from '../../../support/temporal.js';
import type { ConnectionState } from '../../../../workflows/connection/state.js';

const KIB = 1024;
const LONGEST_ANSWER = 1024 * KIB;

function withTokensOf(accessLength: number, refreshLength: number): ConnectionState {
  const acceptance = { by: callers(64), reason: callers(280) };
  const answer = {
    accessToken: 'a'.repeat(accessLength),
    refreshToken: 'r'.repeat(refreshLength),
    expiresInSeconds: 600,
    scope: 's'.repeat(4 * KIB),
  };
  const tokens = sealTokens({ tokenKeys: KEYRING, now: () => Date.parse(NOW) }, 'c'.repeat(64), 101, answer);
  const account = { id: callers(256), accepted: { ...acceptance, at: NOW } };
  const consented = states.applyConsent(states.newConnection('c'.repeat(64), NOW), tokens, account);
  const offered = { ...consented, consent: { ...consented.consent, key: 'k'.repeat(64), acceptance } };
  const failing = [1, 2, 3, 4, 5].reduce<ConnectionState>(
    (state) => states.applyFailedRefresh(state, NOW, 101, { code: 'rate_limited' }),
    states.applyOtherAccount(offered, NOW, callers(256)),
  );
  return flagCancelRequest('Nothing.')(failing, NOW);
}

const carriedBytes = (state: ConnectionState): number => bytesOf({ id: state.id, carried: carry(state) });

test('a connection with tokens and unconfirmed tokens of 16 KiB each stays below 200 KiB', () => {
  const state = withTokensOf(16 * KIB, 16 * KIB);
  if (state.tokens === undefined) throw new Error('expected a connection with tokens');
  const newer = { ...state.tokens, generation: 201 };
  const kept = applyFailedCheck(state, NOW, newer, state.consent.acceptance, 'unavailable');
  expect(kept.unconfirmed).toBeDefined();
  expect(carriedBytes(kept)).toBeLessThan(200 * KIB);
});

test('a connection with tokens of the longest readable answer fits into a payload', () => {
  for (const access of [0, LONGEST_ANSWER / 2, LONGEST_ANSWER])
    expect(carriedBytes(withTokensOf(access, LONGEST_ANSWER - access))).toBeLessThan(1.5 * KIB * KIB);
});
