import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually, skipTime, useTemporal } from '../support/temporal.js';
import { active, callsOf, overHttp, paymentsAt } from '../support/over-http.js';
import { aPayment } from '../support/http-stack.js';
import { paymentWorkflowId } from '../../workflows/payment/contract.js';

const temporal = useTemporal({ isAlone: true });
const Waiting = z.object({ stops: z.tuple([z.object({ links: z.object({ payments: z.string() }) })]) });
const A_DAY_MS = 86_400_000;
/** A stop that was read at another time than now ± 5 s is read again. Ahead of Temporal's clock, each judgement would be too old. */
const BACK_MS = 5000;

test('a stop holds back the payments of its connection only, until an operator resumes them', async () => {
  const clock = { aheadMs: 0 };
  await overHttp(
    temporal,
    async (http, connection) => {
      const { backend } = http;
      const other = `con-${randomUUID()}`;
      await http.consent(other);
      const [stopped, free] = [await active(http, connection), await active(http, other)];
      const submitBefore = new Date(Date.now() + A_DAY_MS).toISOString();
      const aPaymentInTime = () => aPayment(undefined, { submit_before: submitBefore });
      const why = { connection, reason: 'looks wrong' };

      expect((await http.get('/v1/stop')).body).toMatchObject({ stops: [] });
      expect(await http.post('/v1/stop', { ...why, connection: 'con-nobody' })).toMatchObject({
        status: 422,
      });
      const stops = [{ ...why, by: 'test' }];
      expect(await http.post('/v1/stop', why)).toMatchObject({ status: 200, body: { stops } });
      const { body } = await http.get('/v1/stop');
      expect(body).toMatchObject({ stops });

      const [kept, paid] = [aPaymentInTime(), aPaymentInTime()];
      await backend.pay(stopped, kept);
      await backend.pay(free, paid);
      await backend.untilPayment(paid.uid, ({ state }) => state === 'settled');
      const rows = [aPaymentInTime(), aPaymentInTime()].map((one) => ({ ...one, agreement_uid: stopped }));
      const waiting = [kept, ...rows].map(({ uid }) => uid);
      await http.post('/v1/batches', { id: 'b-stopped', kind: 'payments', rows });
      for (const uid of waiting) {
        await backend.untilPayment(uid, ({ awaiting }) => awaiting.what === 'stop');
        expect(callsOf(http, 'create_payment', uid)).toEqual([]);
      }
      const { links } = Waiting.parse(body).stops[0];
      await eventually(
        () => http.get(links.payments),
        ({ body: listed }) => waiting.every((uid) => JSON.stringify(listed).includes(uid)),
      );
      // Other tests may have payments that wait.
      const counted = z.object({ waiting: z.object({ payments: z.int().min(3) }) });
      counted.parse((await http.get('/v1/stop')).body);

      const resumed = await http.post('/v1/stop/resumption', { ...why, reason: 'corrected' });
      expect(resumed).toMatchObject({ status: 200, body: { stops: [] } });
      clock.aheadMs -= BACK_MS;
      for (const uid of waiting) {
        await skipTime(temporal.client, paymentWorkflowId(uid));
        const settled = await backend.untilPayment(uid, ({ state }) => state === 'settled');
        expect(settled).toMatchObject({ submissions: 1 });
        expect(paymentsAt(http, uid)).toHaveLength(1);
      }
      const batch = await eventually(
        () => http.get('/v1/batches/b-stopped'),
        ({ body: { state } }) => state === 'done',
      );
      expect(batch.body).toMatchObject({ counts: { done: 2 } });
    },
    () => Date.now() + clock.aheadMs,
  );
});
