import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sealBytes } from '../../sealing/keyring.js';
import { codecOf, keyringOf, payloadOf, refusalOf, shown } from '../support/sealing/payloads.js';
import type { Payload } from '../../sealing/sealed-payload.js';

const RUNS = { numRuns: 1000 };

const bytes = fc.uint8Array({ maxLength: 300 });
const payloads: fc.Arbitrary<Payload> = fc.record({
  metadata: fc.dictionary(
    fc.oneof(fc.constantFrom('encoding', 'messageType'), fc.string({ maxLength: 20 })),
    bytes,
    { maxKeys: 4, noNullPrototype: true },
  ),
  data: bytes,
});

async function sealedOne(payload: Payload = payloadOf('PLANTED')): Promise<Payload> {
  const [sealed] = await codecOf().encode([payload]);
  if (sealed === undefined) throw new Error('expected one payload');
  return sealed;
}

function changed({ metadata, data }: Payload, at: number, by: number): Payload {
  const parts = [data ?? new Uint8Array(), ...Object.values(metadata ?? {})].map((part) => Buffer.from(part));
  const all = Buffer.concat(parts);
  all.writeUInt8(all.readUInt8(at % all.length) ^ by, at % all.length);
  let from = 0;
  const [changedData, ...values] = parts.map((part) => all.subarray(from, (from += part.length)));
  const names = Object.keys(metadata ?? {});
  return {
    metadata: Object.fromEntries(names.map((name, index) => [name, values[index] ?? new Uint8Array()])),
    data: changedData ?? null,
  };
}

describe('sealed payload', () => {
  test('property: opens unchanged in any encoding and is unreadable', async () => {
    const codec = codecOf();
    await fc.assert(
      fc.asyncProperty(payloads, async (payload) => {
        const [sealed = {}] = await codec.encode([payload]);
        const [opened = {}] = await codec.decode([sealed]);
        expect(shown(opened)).toEqual(shown(payload));
        expect(Object.keys(sealed.metadata ?? {})).toEqual([
          'encoding',
          'encryption-key-id',
          'encryption-version',
        ]);
        const data = Buffer.from(payload.data ?? []);
        if (data.length >= 8) expect(Buffer.from(sealed.data ?? []).includes(data)).toBe(false);
      }),
      RUNS,
    );
  });

  test('property: is refused with any changed byte of data or metadata', async () => {
    const codec = codecOf();
    const sealed = await sealedOne();
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.integer({ min: 1, max: 255 }), async (at, by) => {
        const refused = await refusalOf(codec.decode([changed(sealed, at, by)]));
        expect(refused?.message).not.toContain('PLANTED');
        expect(['not_authentic', 'malformed', 'unknown_key', 'clear_payload']).toContain(refused?.code);
      }),
      RUNS,
    );
  });

  test('property: is refused if shortened or lengthened', async () => {
    const sealed = await sealedOne();
    const data = Buffer.from(sealed.data ?? []);
    const others = fc.oneof(
      fc.nat(data.length - 1).map((length) => data.subarray(0, length)),
      fc.uint8Array({ minLength: 1, maxLength: 40 }).map((more) => Buffer.concat([data, more])),
    );
    await fc.assert(
      fc.asyncProperty(others, async (other) => {
        const refused = await refusalOf(codecOf().decode([{ ...sealed, data: other }]));
        expect(['not_authentic', 'malformed']).toContain(refused?.code);
      }),
    );
  });

  test('property: is refused in another namespace with the same key', async () => {
    const [name, codec] = [fc.string({ maxLength: 30 }), codecOf()];
    await fc.assert(
      fc.asyncProperty(payloads, name, async (payload, namespace) => {
        fc.pre(namespace !== 'default');
        const foreign = await codecOf({ namespace }).encode([payload]);
        expect((await refusalOf(codec.decode(foreign)))?.code).toBe('not_authentic');
      }),
      RUNS,
    );
  });

  test('differs each time for equal content', async () => {
    expect(shown(await sealedOne()).data).not.toBe(shown(await sealedOne()).data);
  });

  test('is also created for an undefined result', async () => {
    const nothing = { metadata: { encoding: Buffer.from('binary/null') } };
    const sealed = await sealedOne(nothing);
    expect(shown(sealed).metadata['encoding']).toBe('binary/encrypted');
    expect((await codecOf().decode([sealed])).map(shown)).toEqual([shown(nothing)]);
  });

  test('list may be empty', async () => {
    expect(await codecOf().encode([])).toEqual([]);
    expect(await codecOf().decode([])).toEqual([]);
  });
});

describe('payload keys', () => {
  test('a new first key seals, and the old key still opens', async () => {
    const old = await sealedOne();
    const rotated = codecOf({ keyring: keyringOf('k2', 'k1') });
    expect((await rotated.decode([old])).map(shown)).toEqual([shown(payloadOf('PLANTED'))]);
    const [fresh = {}] = await rotated.encode([payloadOf('PLANTED')]);
    expect(shown(fresh).metadata['encryption-key-id']).toBe('k2');
  });

  test('a missing key is named', async () => {
    const refused = await refusalOf(codecOf({ keyring: keyringOf('k2') }).decode([await sealedOne()]));
    expect(refused).toMatchObject({ code: 'unknown_key', message: 'no key named k1 is configured' });
  });

  test('a different key of the same name is refused', async () => {
    const [{ key }] = keyringOf('k2');
    const refused = await refusalOf(codecOf({ keyring: [{ id: 'k1', key }] }).decode([await sealedOne()]));
    expect(refused?.code).toBe('not_authentic');
  });

  test('a changed key name is refused', async () => {
    const sealed = await sealedOne();
    const renamed = { ...sealed, metadata: { ...sealed.metadata, 'encryption-key-id': Buffer.from('k2') } };
    const refused = await refusalOf(codecOf({ keyring: keyringOf('k1', 'k2') }).decode([renamed]));
    expect(refused?.code).toBe('not_authentic');
  });

  test('a sealed token is refused as a payload', async () => {
    const sealed = await sealedOne();
    const token = sealBytes(keyringOf('k1'), Buffer.from('a token'), 'connection/acme/access/1');
    expect((await refusalOf(codecOf().decode([{ ...sealed, data: token.sealed }])))?.code).toBe(
      'not_authentic',
    );
  });

  test('a payload of the first release still opens', async () => {
    const sealed = {
      metadata: {
        encoding: Buffer.from('binary/encrypted'),
        'encryption-key-id': Buffer.from('k1'),
        'encryption-version': Buffer.from('1'),
      },
      data: Buffer.from(FIRST_RELEASE, 'base64'),
    };
    const keyring = [{ id: 'k1', key: createSecretKey(Buffer.alloc(32, 7)) }] as const;
    expect((await codecOf({ keyring }).decode([sealed])).map(shown)).toEqual([
      { metadata: { encoding: 'json/plain' }, data: '{"sealed":"by the first release"}' },
    ]);
  });
});

const FIRST_RELEASE =
  'oECAkrzwsSiB8dLa4MO8OvAoSX0qqHhNVF0aZHM/8AdyWgCk4GoWZVCN/ZqzhV5a1gSDNSyYPDIKBEnINKMhf/sTge4etjv5sYsoxpR6vziZrXikAa0l';

describe('payload in clear', () => {
  test('is accepted only as the server’s marker of an activity not started', async () => {
    const json = (text: string, encoding = 'json/plain'): Payload => ({
      metadata: { encoding: Buffer.from(encoding) },
      data: Buffer.from(text),
    });
    const word = json('"ACTIVITY_ID_NOT_STARTED"');
    expect((await codecOf().decode([word])).map(shown)).toEqual([shown(word)]);
    for (const other of [
      json('"ACTIVITY_ID_NOT_STARTED" '),
      json('"ACTIVITY_ID"'),
      json('"ACTIVITY_ID_NOT_STARTED"', 'binary/plain'),
    ])
      expect((await refusalOf(codecOf().decode([other])))?.code).toBe('clear_payload');
  });

  test.each([
    ['of a converter', payloadOf('PLANTED')],
    ['without an encoding', { data: Buffer.from('PLANTED') }],
    ['without content', {}],
    ['with null fields', { metadata: null, data: null }],
  ])('%s is refused with advice and without its content', async (_name, payload) => {
    const refused = await refusalOf(codecOf().decode([payload]));
    expect(refused).toMatchObject({ code: 'clear_payload', name: 'SealError' });
    expect(refused?.message).toMatch(/namespace default.*ENCRYPTION_KEYS.*docs\/custody\.md/);
    expect(refused?.message).not.toContain('PLANTED');
  });

  test('makes the whole batch fail', async () => {
    const mixed = [await sealedOne(), payloadOf('x')];
    expect((await refusalOf(codecOf().decode(mixed)))?.code).toBe('clear_payload');
  });

  test('is read if configured, while new payloads are sealed', async () => {
    const codec = codecOf({ clearPayloads: 'read' });
    const mixed = [payloadOf('clear'), await sealedOne()];
    expect((await codec.decode(mixed)).map(shown)).toEqual(
      [payloadOf('clear'), payloadOf('PLANTED')].map(shown),
    );
    const [written = {}] = await codec.encode([payloadOf('x')]);
    expect(shown(written).metadata['encoding']).toBe('binary/encrypted');
  });

  test('that claims to be sealed is always refused', async () => {
    const codec = codecOf({ clearPayloads: 'read' });
    const encoding = Buffer.from('binary/encrypted');
    const [id, version] = ['encryption-key-id', 'encryption-version'];
    const named = (keyId: string, form: string) => ({
      encoding,
      [id]: Buffer.from(keyId),
      [version]: Buffer.from(form),
    });
    for (const [metadata, code] of [
      [{ encoding }, 'malformed'],
      [{ encoding, [id]: Buffer.from('k1') }, 'malformed'],
      [named('PLANTED key', '1'), 'malformed'],
      [named('k1', '2'), 'malformed'],
      [named('k1', '1'), 'not_authentic'],
    ] as const) {
      const refused = await refusalOf(codec.decode([{ metadata, data: Buffer.from('PLANTED '.repeat(8)) }]));
      expect(refused?.code).toBe(code);
      expect(refused?.message).not.toContain('PLANTED');
    }
    const short = { metadata: named('k1', '1'), data: Buffer.from('PLANTED') };
    expect((await refusalOf(codec.decode([short])))?.code).toBe('malformed');
  });
});
