// Decodes one payload for Temporal's UI and CLI. An unsealed payload is returned unchanged.
import { SealError, type Keyring } from '../../../sealing/keyring.js';
import { isSealed, openPayload, workflowOf, type Payload } from '../../../sealing/sealed-payload.js';
import type { CodecPayload } from '../operations/bodies.schema.js';

export interface Decoded {
  payload: CodecPayload;
  outcome: 'opened' | 'clear' | 'unopened';
  /** The workflow that it was sealed for. */
  workflowId?: string | undefined;
}

/**
 * Never throws, so that one broken payload does not hide the others: it contains the reason instead. Unsealed payloads are normal,
 * because Temporal itself writes some in clear (such as patch markers).
 */
export function decodePayload(keyring: Keyring, namespace: string, given: CodecPayload): Decoded {
  const payload = bytesOf(given);
  if (!isSealed(payload)) return { payload: given, outcome: 'clear' };
  try {
    const opened = openPayload(keyring, payload, namespace);
    return { payload: base64Of(opened), outcome: 'opened', workflowId: workflowOf(opened) };
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    return { payload: sayingWhy(error), outcome: 'unopened' };
  }
}

/** Uses the field `message`, which the UI and the CLI also show for failures. */
function sayingWhy({ code, message }: SealError): CodecPayload {
  const data = Buffer.from(JSON.stringify({ message: `This payload cannot be opened: ${message}`, code }));
  return base64Of({ metadata: { encoding: Buffer.from('json/plain') }, data });
}

const bytesOf = ({ metadata, data }: CodecPayload): Payload => ({
  metadata: mapped(metadata ?? {}, (text) => Buffer.from(text, 'base64')),
  data: Buffer.from(data ?? '', 'base64'),
});

const base64Of = ({ metadata, data }: Payload): CodecPayload => ({
  metadata: mapped(metadata ?? {}, base64),
  data: base64(data ?? new Uint8Array()),
});

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const mapped = <From, To>(values: Record<string, From>, by: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, by(value)]));
