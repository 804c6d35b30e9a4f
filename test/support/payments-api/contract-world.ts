import { createTransport, type Transport } from '../../../payments-api/http/transport.js';
import { isObject, readJson } from '../../../payments-api/answers/values.js';
import { nowMs } from '../../../tools/conform/requests.js';
import { startReceiver, type Receiver } from '../sandbox/receiver.js';
import { startWorld as startProvider, type World as Provider } from '../../../tools/conform/world.js';

export interface RequestChange {
  body?: object;
  headers?: Record<string, string>;
}

export interface World extends Provider {
  receiver: Receiver;
  changeNext: (change: RequestChange) => void;
  mark: () => number;
}

export async function startWorld(): Promise<World> {
  const receiver = await startReceiver();
  let next: RequestChange = {};
  const send = createTransport();
  const carry: Transport = (address, outgoing) => {
    const { body, headers } = next;
    next = {};
    const written = readJson(Buffer.from(outgoing.body ?? ''))?.value;
    const changed = body && { body: JSON.stringify({ ...(isObject(written) ? written : {}), ...body }) };
    return send(address, { ...outgoing, headers: { ...outgoing.headers, ...headers }, ...changed });
  };
  const provider = await startProvider({ webhookUrl: receiver.url, carry });
  return Object.assign(provider, {
    receiver,
    changeNext: (change: RequestChange) => void (next = change),
    mark: () => provider.control.ledger().at(-1)?.seq ?? 0,
    close: stopBoth(provider.close, () => receiver.close()),
  });
}

const stopBoth =
  (provider: () => Promise<void>, receiver: () => Promise<void>) => async (): Promise<void> => {
    await provider();
    await receiver();
  };

const SYDNEY_HOUR = new Intl.DateTimeFormat('en-AU', {
  timeZone: 'Australia/Sydney',
  hour: '2-digit',
  hourCycle: 'h23',
});

export async function passToNoon(world: World): Promise<void> {
  const hour = Number(SYDNEY_HOUR.format(nowMs(world)));
  await world.pass(((36 - hour) % 24) * 60 * 60);
}
