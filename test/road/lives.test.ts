import { env } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createReader } from '../../records/read.js';
import { asOwner } from '../support/forgotten.js';
import { complaints } from '../support/lives/complaints.js';
import { createModel } from '../support/lives/model.js';
import { begin, resumeAll, takeStep } from '../support/lives/steps.js';
import { overHttpWithProxy } from '../support/over-http.js';
import { KEYRING, eventually, useTemporal } from '../support/temporal.js';
import { createChances, seedOf } from '../simulator/random.js';
import type { Life } from '../support/lives/requests.js';
import type { TcpProxy } from '../support/tcp-proxy.js';
import type { HttpStack } from '../support/http-stack.js';

const temporal = useTemporal({ isAlone: true });

const SEED = Number(env['SEED'] ?? 1);
const LIVES = Number(env['LIVES'] ?? 2);
const STEPS = 25;
/** From here on the records may be away, and the API may consider them away until the end. */
const FIRST_CUT = 15;
const SETTLED_WITHIN_MS = 25_000;
const QUIET_MS = 300;

test.each(Array.from({ length: LIVES }, (_, n) => n))(
  'no cent, refund, key, owner or connection is lost or moved, and nothing is sent twice or after its withdrawal: life %i',
  (n) => overHttpWithProxy(temporal, (road, connection, line) => liveOn(n, road, line, connection)),
);

async function liveOn(n: number, road: HttpStack, line: TcpProxy, connection: string): Promise<void> {
  const second = `${connection}-2`;
  await road.consent(second);
  const chances = createChances(seedOf(SEED, n));
  const reader = createReader({ db: asOwner(), keyring: KEYRING });
  const life: Life = {
    ...{ name: `${SEED}-${n}`, chances, model: createModel(), road, reader, temporal, line },
    ...{ connections: [connection, second], requests: [], isCut: false, isAway: false, log: [] },
  };
  try {
    await begin(life);
    for (let step = 0; step < STEPS; step += 1) await takeStep(life, step >= FIRST_CUT);
    await resumeAll(life);
    const until = Date.now() + SETTLED_WITHIN_MS;
    const wrong = () => complaints(road, reader, life.model);
    await eventually(wrong, ({ length }) => length === 0 || Date.now() > until);
    await pause(QUIET_MS);
    expect(await wrong()).toEqual([]);
  } catch (error) {
    const steps = life.log
      .map((one, index) => `${index + 1}. ${one}`)
      .join('\n')
      .replaceAll(connection, 'con');
    throw new Error(`life ${n} of SEED=${SEED}: ${String(error)}\n${steps}`, { cause: error });
  }
}
