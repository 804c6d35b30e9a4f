import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { connectionRestored } from '../../workflows/agreement/contract.js';
import {
  PAYMENT_WORKFLOW,
  getPayment,
  paymentFact,
  paymentWorkflowId,
} from '../../workflows/payment/contract.js';
import { aFact } from '../domain/facts.js';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { failure, nothingNew, only, paymentLook } from './provider.js';
import { startPayment, untilPayment } from './starting.js';
import type { Fact } from '../../domain/fact.js';
import type { PaymentLook } from '../../domain/snapshot.js';
import type { payment } from '../../workflows/payment/workflow.js';

const temporal = useTemporal();
const accepted = {
  submitPayment: ({ uid }: { uid: string }) => Promise.resolve(paymentLook(uid, 'created')),
};

describe('a payment workflow', () => {
  test('is submitted, awaits its outcome, and ends settled once the provider says so', async () => {
    await temporal.run(only(accepted), async () => {
      const handle = await startPayment(temporal);
      expect(await untilPayment(handle, ({ state }) => state === 'created')).toMatchObject({
        awaiting: { what: 'settlement' },
      });
      await handle.signal(paymentFact, aFact('settled'));
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('ends failed, saying why and whether it could be retried', async () => {
    const why = { code: 'AM04', title: 'Insufficient funds', retryable: true };
    await temporal.run(only(accepted), async () => {
      const handle = await startPayment(temporal);
      await handle.signal(paymentFact, aFact('failed', { detail: { failure: why } }));
      expect(await handle.result()).toMatchObject({ state: 'failed', failure: why });
    });
  });

  test('ends failed when the provider refuses it', async () => {
    await temporal.run(
      only({ submitPayment: () => Promise.reject(failure('rejected', ['ZPPAY01'])) }),
      async () => {
        const handle = await startPayment(temporal);
        expect(await handle.result()).toMatchObject({
          state: 'failed',
          failure: { code: 'ZPPAY01', retryable: false },
        });
      },
    );
  });

  test('is not handed over to a fresh run in the middle of its submission', async () => {
    let answer: (() => void) | undefined;
    let calls = 0;
    const submitPayment = ({ uid }: { uid: string }) => {
      calls += 1;
      return new Promise<PaymentLook>((resolve) => {
        answer = () => resolve(paymentLook(uid, 'settled'));
      });
    };
    await temporal.run(only({ submitPayment }), async () => {
      const handle = await startPayment(temporal);
      const { runId } = await handle.describe();
      const grown = async () => {
        for (let count = 0; count < 50; count += 1) await handle.signal(paymentFact, aFact('pending'));
        return (await handle.describe()).historyLength;
      };
      await eventually(grown, (events) => events > 520);
      expect((await handle.describe()).runId).toBe(runId);
      answer?.();
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
      expect(calls).toBe(1);
    });
  });

  test('is found settled by asking when every webhook is lost', async () => {
    const watchPayment = ({ uid, shown }: { uid: string; shown: string }) =>
      Promise.resolve(paymentLook(uid, shown === 'created' ? 'submitting' : 'settled'));
    await temporal.run(only({ ...accepted, watchPayment }), async () => {
      expect(await (await startPayment(temporal)).result()).toMatchObject({
        state: 'settled',
        submissions: 1,
      });
    });
  });

  test('is not sent again when its answer was lost and the provider has it', async () => {
    let submissions = 0;
    const submitPayment = () => {
      submissions += 1;
      return Promise.reject(failure('unavailable'));
    };
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'settled', { amount: 4200 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await startPayment(temporal);
      const unsure = await untilPayment(handle, ({ attention }) => attention.length > 0);
      expect(unsure).toMatchObject({
        attention: [{ code: 'unknown_outcome' }],
        awaiting: { what: 'submission-outcome' },
      });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1, attention: [] });
      expect(submissions).toBe(1);
    });
  });

  test('is sent again under the same uid only after the provider has not known it for two minutes', async () => {
    const sent: { uid: string; asked: number }[] = [];
    let asked = 0;
    const submitPayment = ({ uid }: { uid: string }) => {
      sent.push({ uid, asked });
      return sent.length === 1
        ? Promise.reject(failure('unavailable'))
        : Promise.resolve(paymentLook(uid, 'settled'));
    };
    const findPayment = () => {
      asked += 1;
      return Promise.resolve(null);
    };
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 2 });
      expect(sent).toEqual([
        { uid: handle.uid, asked: 0 },
        { uid: handle.uid, asked: 4 },
      ]);
    });
  });

  test('does not believe a refusal while an earlier submission of its own is unaccounted for', async () => {
    let sent = 0;
    const submitPayment = () => {
      sent += 1;
      return Promise.reject(sent === 1 ? failure('unavailable') : failure('rejected', ['ZPPAY17']));
    };
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(sent === 1 ? null : paymentLook(uid, 'settled'));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 2, attention: [] });
    });
  });

  test('believes such a refusal once nothing is found, and sends no third one', async () => {
    let sent = 0;
    const submitPayment = () => {
      sent += 1;
      return Promise.reject(sent === 1 ? failure('unavailable') : failure('rejected', ['ZPPAY17']));
    };
    await temporal.run(only({ submitPayment, findPayment: () => Promise.resolve(null) }), async () => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({
        state: 'failed',
        failure: { code: 'ZPPAY17' },
        submissions: 2,
      });
    });
  });

  test('that failed, was retried and settled is settled, in whatever order it is told', async () => {
    await temporal.run(only(accepted), async () => {
      const handle = await startPayment(temporal);
      await untilPayment(handle, ({ state }) => state === 'created');
      const [failed, settled] = [aFact('failed'), aFact('settled')];
      await handle.signal(paymentFact, settled);
      const { record } = await handle.result();
      const again = await temporal.client.workflow.signalWithStart<typeof payment, [Fact]>(PAYMENT_WORKFLOW, {
        taskQueue: temporal.taskQueue,
        workflowId: handle.workflowId,
        workflowIdReusePolicy: 'ALLOW_DUPLICATE',
        args: [{ uid: handle.uid, carried: record }],
        signal: paymentFact,
        signalArgs: [failed],
      });
      expect(await again.result()).toMatchObject({
        state: 'settled',
        order: { amount: 4200 },
        submissions: 1,
      });
    });
  });

  test('of which only an event is known is looked at before the event is believed', async () => {
    const adoptPayment = ({ uid }: { uid: string }) =>
      Promise.resolve({
        owner: 'acme',
        ...paymentLook(uid, 'settled', { agreement_uid: 'agr-9', amount: 70 }),
      });
    await temporal.run(only({ adoptPayment }), async () => {
      const uid = `pay-${randomUUID()}`;
      const handle = await temporal.client.workflow.signalWithStart<typeof payment, [Fact]>(
        PAYMENT_WORKFLOW,
        {
          taskQueue: temporal.taskQueue,
          workflowId: paymentWorkflowId(uid),
          args: [{ uid }],
          signal: paymentFact,
          signalArgs: [aFact('failed')],
        },
      );
      expect(await handle.result()).toMatchObject({ state: 'settled', order: { amount: 70 } });
    });
  });

  test('is taken for ours when the provider calls its uid a duplicate and shows what we meant', async () => {
    const submitPayment = () => Promise.reject(failure('rejected', ['ZPPAY00']));
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'settled', { amount: 4200 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('is parked for a person when the provider has another payment under its uid', async () => {
    const submitPayment = () => Promise.reject(failure('unavailable'));
    const findPayment = ({ uid }: { uid: string }) =>
      Promise.resolve(paymentLook(uid, 'created', { amount: 9900 }));
    await temporal.run(only({ submitPayment, findPayment }), async () => {
      const handle = await startPayment(temporal);
      await skipTime(temporal.client, handle.workflowId);
      const parked = await untilPayment(handle, ({ awaiting }) => awaiting.what === 'operator');
      expect(parked).toMatchObject({ submissions: 1, attention: [{ code: 'parked' }] });
      expect(parked.attention[0]?.detail).toContain('/amount');
      await handle.terminate();
    });
  });

  test('a webhook for a payment in doubt ends the doubt', async () => {
    await temporal.run(only({ submitPayment: () => Promise.reject(failure('unavailable')) }), async () => {
      const handle = await startPayment(temporal);
      await untilPayment(handle, ({ awaiting }) => awaiting.what === 'submission-outcome');
      await handle.signal(paymentFact, aFact('settled'));
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1, attention: [] });
    });
  });

  test('does not believe in money that an unauthenticated event claims', async () => {
    const lookUpPayment = ({ uid }: { uid: string }) => Promise.resolve(paymentLook(uid, 'created'));
    await temporal.run(only({ ...accepted, lookUpPayment }), async () => {
      const handle = await startPayment(temporal);
      await untilPayment(handle, ({ state }) => state === 'created');
      await handle.signal(paymentFact, aFact('settled', { authenticated: false }));
      await untilPayment(handle, ({ awaiting }) => awaiting.what === 'settlement');
      expect(await handle.query(getPayment)).toMatchObject({ state: 'created' });
      await handle.terminate();
    });
  });

  test('waits for consent, having sent nothing, and is then submitted once', async () => {
    let calls = 0;
    const submitPayment = ({ uid }: { uid: string }) => {
      calls += 1;
      return calls === 1
        ? Promise.reject(failure('forbidden'))
        : Promise.resolve(paymentLook(uid, 'settled'));
    };
    await temporal.run(only({ submitPayment }), async () => {
      const handle = await startPayment(temporal);
      const waits = await untilPayment(handle, ({ awaiting }) => awaiting.what === 'reauthorisation');
      expect(waits.attention).toMatchObject([{ code: 'forbidden' }]);
      await handle.signal(connectionRestored);
      expect(await handle.result()).toMatchObject({ state: 'settled', submissions: 1 });
    });
  });

  test('adopts a payment that nobody asked for here', async () => {
    const adoptPayment = ({ uid }: { uid: string }) =>
      Promise.resolve({
        owner: 'acme',
        ...paymentLook(uid, 'settled', { agreement_uid: 'agr-9', amount: 70 }),
      });
    await temporal.run(only({ adoptPayment }), async () => {
      const handle = await startPayment(temporal, { order: undefined, connectionId: undefined });
      expect(await handle.result()).toMatchObject({
        state: 'settled',
        submissions: 0,
        order: { agreement_uid: 'agr-9' },
      });
    });
  });

  test('ends unknown when in a whole day no connection shows it', async () => {
    await temporal.run(only({ adoptPayment: () => Promise.reject(nothingNew('10h')) }), async () => {
      const handle = await startPayment(temporal, { order: undefined });
      await skipTime(temporal.client, handle.workflowId);
      expect(await handle.result()).toMatchObject({ state: 'unknown', attention: [{ code: 'orphan' }] });
    });
  });
});
