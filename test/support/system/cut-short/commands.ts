import { randomUUID } from 'node:crypto';
import { activeOne, eventsAt, type Life, type Scene } from './scene.js';
import type { Reply } from '../../http-stack.js';
import type { Hold } from '../../http-proxy.js';

const WHY = { reason: 'initiating_party_requested', narrative: 'As agreed' };
const CHANGES = { changes: { payment_terms: { max_amount: 40_000 } } };

interface Command {
  what: string;
  body: object;
  event: string;
  end: object;
}

export const asked = ({ road }: Scene, uid: string, what: string, body: object): Promise<Reply> =>
  road.post(`/v1/agreements/${uid}/${what}`, body, { 'idempotency-key': randomUUID() });

const COMMANDS: readonly Command[] = [
  {
    what: 'suspension',
    body: WHY,
    event: 'suspended',
    end: { state: 'suspended', state_caused_by: 'initiator', actions: [{ stage: 'done' }] },
  },
  {
    what: 'amendment',
    body: CHANGES,
    event: 'amended',
    end: { state: 'active', payment_terms: { max_amount: 40_000 }, actions: [{ stage: 'done' }] },
  },
];

interface Way {
  how: Hold;
  webhook?: { do: 'delay'; delay_seconds: number } | { do: 'lose' };
  words: string;
}

const WAYS: readonly Way[] = [
  { how: 'before', words: 'that the provider has not received' },
  {
    how: 'after',
    webhook: { do: 'delay', delay_seconds: 500 },
    words: 'that the provider completes and reports while no worker runs',
  },
  { how: 'after', webhook: { do: 'lose' }, words: 'that the provider completes without a webhook' },
  { how: 'late', words: 'that the provider receives after its own retry' },
];

const cutShort = ({ what, body, event, end }: Command, way: Way): Life => ({
  name: `the ${what} ${way.words}`,
  step: 'provider-acceptance',
  enter: async (scene, uid) => {
    await activeOne(scene, uid);
    if (way.webhook !== undefined) {
      scene.road.sandbox.control.addFault({ on: 'webhook', resource_uid: uid, ...way.webhook });
    }
    const hasArrived = scene.gate.hold({ method: 'POST', ending: `/${what}`, uid, how: way.how });
    await asked(scene, uid, what, body);
    const isDone = (): boolean => eventsAt(scene, uid).some(({ type }) => type === event);
    return () => hasArrived() && isDone() === (way.how === 'after');
  },
  isLate: way.how === 'late',
  end,
  once: ['activated', event],
});

export const COMMANDS_CUT_SHORT: readonly Life[] = [
  ...COMMANDS.flatMap((command) => WAYS.map((way) => cutShort(command, way))),
  {
    name: 'a suspension that waits for a look-up before it is sent',
    step: 'look-up',
    enter: async (scene, uid) => {
      await activeOne(scene, uid);
      const hasArrived = scene.gate.hold({ method: 'GET', ending: `/${uid}`, uid, how: 'before' });
      await scene.road.backend.lookUp(uid);
      const { status } = await asked(scene, uid, 'suspension', WHY);
      return () => hasArrived() && status === 202;
    },
    end: { state: 'suspended', actions: [{ kind: 'suspension', stage: 'done' }] },
    once: ['activated', 'suspended'],
  },
];
