import { all } from '../loopback.js';
import { refundRequest, settledPayment } from './requests.js';
import * as shapes from './shapes.js';
import { refundSnapshot, step } from './walk.js';

export const REFUNDS = {
  createRefund: step({
    line: 'POST /payto/refunds',
    operation: 'create_refund',
    scope: 'pay_to_refunds',
    status: 201,
    prepare: async (world) => {
      const request = refundRequest(await settledPayment(world), { metadata: { why: 'late' } });
      return (call) => world.api.createRefund(request, call);
    },
    answer: shapes.one(shapes.refund),
    makes: ({ data }) => refundSnapshot(data),
  }),
  getRefund: step({
    line: 'GET /payto/refunds/{}',
    operation: 'get_refund',
    scope: 'pay_to_refunds',
    status: 200,
    prepare: async (world) => {
      const request = refundRequest(await settledPayment(world));
      await world.api.createRefund(request, world.call);
      await world.control.advance(1);
      return (call) => world.api.getRefund(request.uid, call);
    },
    answer: shapes.one(shapes.refund),
    makes: ({ data }) => refundSnapshot(data),
  }),
  listRefunds: step({
    line: 'GET /payto/refunds',
    operation: 'list_refunds',
    scope: 'pay_to_refunds',
    status: 200,
    prepare: async (world) => {
      const originalPaymentUid = await settledPayment(world);
      for (const request of [refundRequest(originalPaymentUid), refundRequest(originalPaymentUid)])
        await world.api.createRefund(request, world.call);
      return (call) => all(world.api.listRefunds({ originalPaymentUid }, call));
    },
    answer: shapes.pageOf(shapes.refund),
    makes: ({ data }) => data.map(refundSnapshot),
  }),
  listRefundPage: step({
    line: 'GET /payto/refunds',
    operation: 'list_refunds',
    scope: 'pay_to_refunds',
    status: 200,
    prepare: async (world) => {
      const originalPaymentUid = await settledPayment(world);
      await world.api.createRefund(refundRequest(originalPaymentUid), world.call);
      return (call) => world.api.listRefundPage({ originalPaymentUid }, call);
    },
    answer: shapes.pageOf(shapes.refund),
    makes: ({ data }) => ({ items: data.map(refundSnapshot), unreadable: 0, next: undefined }),
  }),
};
