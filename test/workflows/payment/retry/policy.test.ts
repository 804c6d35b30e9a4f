import { describe, expect, test } from 'vitest';
import { requestRetry } from '../../../../workflows/payment/retry.js';
import { failure } from '../../../support/workflows/provider.js';
import { HOUR, SECOND } from '../../../support/workflows/virtual.js';
import { MINUTE, accepted, rejected, failed } from '../../../support/workflows/submissions.js';

describe('retry policy', () => {
  test('retries at its interval after each failure, up to its number of attempts', async () => {
    const {
      scene,
      life: payment,
      sendings,
      fail,
    } = await failed(accepted, {
      retry: { attempts: 2, everySeconds: 3600 },
    });
    const until = new Date(Date.parse(scene.now()) + HOUR).toISOString();
    expect(payment.view()).toMatchObject({ state: 'failed', awaiting: { what: 'retry', until } });
    await scene.pass(HOUR + SECOND);
    expect([sendings(), payment.view().state]).toEqual([1, 'retrying']);
    await payment.receive(fail('AM04'));
    await scene.pass(HOUR + SECOND);
    await payment.receive(fail('AM04'));
    expect([sendings(), payment.isOver(), payment.view().state]).toEqual([2, true, 'failed']);
  });

  test('waits for the delay that the provider requests', async () => {
    const {
      scene,
      life: payment,
      sendings,
    } = await failed(rejected('ZPPRY03', 5 * HOUR), {
      retry: { attempts: 1, everySeconds: 60 },
    });
    await scene.pass(2 * MINUTE);
    expect([sendings(), payment.view().awaiting.what]).toEqual([1, 'retry']);
    await scene.pass(4 * HOUR);
    expect(sendings()).toBe(1);
    await scene.pass(HOUR);
    expect(sendings()).toBe(2);
  });

  test('ends after a withdrawal of a retry, and a caller can still retry', async () => {
    let isStopped = true;
    const answer = () => (isStopped ? Promise.reject(failure('forbidden')) : accepted({} as never));
    const {
      scene,
      life: payment,
      sendings,
    } = await failed(answer, { retry: { attempts: 3, everySeconds: 3600 } });
    await scene.pass(HOUR + SECOND);
    await payment.withdraw();
    expect(payment.view().attempts.at(-1)).toMatchObject({ isUnsent: true, failure: { code: 'withdrawn' } });
    await scene.pass(24 * HOUR);
    expect([sendings(), payment.isOver(), payment.view().state]).toEqual([1, true, 'failed']);
    isStopped = false;
    const request = { key: 'r-2', by: 'key-1' };
    const carried = requestRetry(payment.carried(), request, scene.now());
    const again = await scene.payment({ uid: payment.uid, carried });
    await again.restored();
    expect([sendings(), again.view().state]).toEqual([2, 'retrying']);
  });
});
