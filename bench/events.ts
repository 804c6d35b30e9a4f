// `npm run bench:events`: events to one endpoint at a steady rate, the time from the provider's webhook to ours, and many listeners to the
// stream. The whole product runs as in `npm start`. Exits with 1 above a limit.
import { bringUpForCost } from './cost/stack.js';
import { latency } from './events/latency.js';
import { openReceiver } from './events/receiver.js';
import { streams } from './events/streams.js';
import { throughput } from './events/throughput.js';
import { judge } from './figures.js';

const stack = await bringUpForCost({ WEBHOOK_PRIVATE_ADDRESSES: 'allow' });
const receiver = await openReceiver(stack, [
  'payment.settled',
  'agreement.suspended',
  'agreement.reactivated',
]);
try {
  for (const figure of await throughput(stack, receiver)) judge(figure);
  for (const figure of await latency(stack, receiver)) judge(figure);
  for (const figure of await streams(stack)) judge(figure);
} finally {
  receiver.close();
  await stack.close();
}
