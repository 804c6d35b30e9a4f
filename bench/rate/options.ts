// The command line of `npm run bench:rate --`.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const USAGE = `npm run bench:rate -- [options]

Measures lives of agreements per second, and their CPU, of the built product and of workflows written by hand.

  --lives <n>        lives in each leg (96)
  --pairs <n>        how often all legs run, one after the other (3)
  --in-flight <n>    simultaneous lives (32)
  --only <legs>      some of product, other, bare, duties, empty, separated by commas
  --other <folder>   a second build: a folder with dist/ and node_modules/
  --store <store>    of the Temporal server: sqlite (a file, as in npm start) or postgres,
                     which needs Go and builds the server once
  --profile          also prints the most expensive functions of the product's worker, which then
                     uses more CPU
  --help             show this text`;

export const LEGS = ['product', 'other', 'bare', 'duties', 'empty'] as const;
export type LegName = (typeof LEGS)[number];

const STORES = ['sqlite', 'postgres'] as const;
export type Store = (typeof STORES)[number];

export interface Options {
  lives: number;
  pairs: number;
  inFlight: number;
  legs: readonly LegName[];
  other: string | undefined;
  store: Store;
  isProfiled: boolean;
  wantsHelp: boolean;
}

/** @throws Error with one line that states the expectation. */
export function parseOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      lives: { type: 'string', default: '96' },
      pairs: { type: 'string', default: '3' },
      'in-flight': { type: 'string', default: '32' },
      only: { type: 'string' },
      other: { type: 'string' },
      store: { type: 'string', default: 'sqlite' },
      profile: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    lives: parseCount('--lives', values.lives),
    pairs: parseCount('--pairs', values.pairs),
    inFlight: parseCount('--in-flight', values['in-flight']),
    legs: legsOf(values.only, values.other !== undefined),
    other: values.other === undefined ? undefined : resolve(values.other),
    store: storeOf(values.store),
    isProfiled: values.profile,
    wantsHelp: values.help,
  };
}

function legsOf(only: string | undefined, hasOther: boolean): LegName[] {
  const available = LEGS.filter((name) => hasOther || name !== 'other');
  const wanted = only?.split(',') ?? available;
  const wrong = wanted.find((name) => !available.some((leg) => leg === name));
  if (wrong !== undefined)
    throw new Error(`--only: expected some of ${available.join(', ')}; received "${wrong}"`);
  return available.filter((name) => wanted.includes(name));
}

function storeOf(value: string): Store {
  const store = STORES.find((one) => one === value);
  if (store !== undefined) return store;
  throw new Error(`--store: expected ${STORES.join(' or ')}, received "${value}"`);
}

function parseCount(option: string, value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value)) return Number(value);
  throw new Error(`${option}: expected a whole number of at least 1, received "${value}"`);
}
