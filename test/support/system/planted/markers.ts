import { randomBytes, randomInt } from 'node:crypto';

const chance = (): string => randomBytes(5).toString('hex');
const account = (): string => `200001-${randomInt(100_000_000, 1_000_000_000)}`;

export const newWords = () => ({
  payerName: `Zebedee O"Payer\\${chance()}`,
  payerAccount: account(),
  payerEmail: `zebedee.${chance()}@payer.example`,
  payerPhone: `+61-4${randomInt(10_000_000, 100_000_000)}${randomInt(1000, 10_000)}`,
  payerAddress: `2001:db8::${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`,
  creditorName: `Biller & Daughters ${chance()}`,
  creditorUltimate: `Ultimately ${chance()}`,
  creditorAccount: account(),
  description: `Gym of Zebedee ${chance()}`,
  metadata: `Customer ${chance()}`,
  suspensionNarrative: `Zebedee is ill ${chance()}`,
  amendedDescription: `Gym and pool ${chance()}`,
  amendedCreditor: `New Biller ${chance()}`,
  cancellationNarrative: `Zebedee has moved ${chance()}`,
  reference: `INV ${chance()}`,
  paymentDescription: `October of Zebedee ${chance()}`,
  creditorReference: `C-${chance()}`,
  paymentMetadata: `Order ${chance()}`,
  refusedTitle: `No such payer ${chance()}`,
  paymentRefusal: `Zebedee has too little money ${chance()}`,
  pushedType: `zebedee_${chance()}`,
  pushedReason: `Zebedee’s bank writes ünïcode ${chance()}`,
  partyName: `Zebedee Party ${chance()}`,
  partyAccount: account(),
  partyAccountName: `Zebedee and Co ${chance()}`,
  partyEvidence: `Passport ${chance()}`,
  partyCorrection: `Zebedee has told us ${chance()}`,
  onboardedName: `Zebedee Newly ${chance()}`,
  onboardingReason: `Zebedee changed his mind ${chance()}`,
  batchedName: `Zebedee of Many ${chance()}`,
  batchReason: `Too many of Zebedee ${chance()}`,
  revocationReason: `Merchant of Zebedee left ${chance()}`,
});
export type Words = ReturnType<typeof newWords>;

export const newNoise = () => ({
  refusedDetail: `Zebedee is unknown to bank ${chance()}`,
  outage: `<html>Zebedee&apos;s proxy ${chance()}</html>`,
  garbledAnswer: `{"zebedee": ${chance()}`,
  tokenRefusal: `Zebedee is locked out ${chance()}`,
  unknownField: `zebedee_${chance()}`,
  badValue: `Zebedee\n    at Payer ${chance()}`,
  badKey: `key_of_zebedee_${chance()}`,
  query: `zebedee-${chance()}`,
  forged: `Zebedee forged ${chance()}`,
  callbackError: `zebedee_${chance()}`,
});
export type Noise = ReturnType<typeof newNoise>;

export function traitsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const json = JSON.stringify(text).slice(1, -1);
  const ascii = json.replaceAll(
    /[^ -~]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const html = text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  const hex = bytes.toString('hex');
  const written = [
    text,
    json,
    JSON.stringify(json).slice(1, -1),
    ascii,
    encodeURIComponent(text),
    html,
    hex,
    hex.toUpperCase(),
  ];
  const within = [0, 1, 2].map((skipped) => base64Within(bytes, skipped));
  const all = [
    ...written,
    ...within,
    ...within.map((code) => code.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(all)].map((form) => Buffer.from(form));
}

function base64Within(bytes: Buffer, skipped: number): string {
  const code = Buffer.concat([Buffer.alloc(skipped), bytes])
    .toString('base64')
    .replaceAll('=', '');
  const isWhole = (skipped + bytes.length) % 3 === 0;
  return code.slice(Math.ceil((skipped * 4) / 3), isWhole ? code.length : -1);
}

export const foundIn = (haystack: Buffer, planted: Readonly<Record<string, string>>): string[] =>
  Object.entries(planted).flatMap(([name, text]) =>
    traitsOf(text).some((trait) => haystack.includes(trait)) ? [name] : [],
  );
