// The descriptions of the endpoints that most resources share. Each is derived from a few words about the resource.
import { RESOURCES, type ResourceName } from '../../domain/resources.js';

/** A section of docs/. */
export type Task = `${string}.md#${string}`;

/** What a reader needs to know about one resource. */
export interface Guide {
  /** The sections of docs/ that explain its endpoints. The default of `list` and `lookUp` is `read`. */
  read: Task;
  list?: Task;
  lookUp?: Task;
  /** What to read in an answer, as sentences. */
  fields?: string;
  /** What ends the wait of a request, as a clause. */
  decided?: string;
}

interface Subject {
  name: Exclude<ResourceName, 'stop'>;
  /** With its article. */
  what: string;
  guide?: Guide | undefined;
}

/** How soon a list shows a change. */
const SOON_LISTED =
  'A change appears here once its workflow has stored it: normally well under a second after the request was accepted, but later while the ' +
  'records database is away. `GET` of the single resource shows it at once.';

/** Without its article. */
export const nounOf = (what: string): string => what.replace(/^an? /, '');

/** @param waits whether the request may wait. */
export const describeGet = ({ what, guide }: Subject, waits: boolean): string =>
  joined(
    `Returns ${what} as it is now.`,
    guide?.fields,
    waits
      ? `With \`wait\`, the API answers as soon as ${guide?.decided ?? `${what} has its outcome`}, at the latest after that many seconds.`
      : undefined,
  );

/** @param purpose what is special about this list. */
export const describeList = ({ name }: Subject, purpose?: string): string =>
  joined(
    purpose,
    `Returns one page of the ${RESOURCES[name].plural.replace('-', ' ')} that match all given filters. Follow \`links.next\` for the next page. ` +
      'To keep a copy up to date, use `changed_after`.',
    SOON_LISTED,
  );

/** @param answered where the result appears. */
export const describeLookUp = ({ name, what }: Subject, answered: string): string =>
  joined(
    `Reads ${what} from the provider now, for example if you expect an event that does not arrive. You rarely need it, because the worker polls too.`,
    `The answer comes before the result. ${answered} shows the result later, and an event reports each change of state.`,
    'Nothing changes at the provider. A repeat only leads to another look-up.',
    `A look-up may be refused with \`${name}_final\` if the ${nounOf(what)} has ended.`,
  );

/** @param isDual whether `parked` needs a second principal. */
export const describeResolution = ({ what }: Subject, isDual: boolean): string =>
  joined(
    `Lowers a flag of ${what} after an operator has dealt with its cause, which \`detail\` and \`next\` of the flag describe. Blocked work then resumes.`,
    'You need this only for flags that stay: most clear when their cause ends.',
    `\`parked\` also needs a \`decision\`: \`adopt\` treats the provider’s ${nounOf(what)} as yours, and \`close\` gives up the request.`,
    isDual
      ? 'With `DUAL_CONTROL=on`, a second principal must approve the resolution of `parked`.'
      : undefined,
    'A repeat with the same `Idempotency-Key` changes nothing.',
  );

const joined = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter((one) => one !== undefined).join(' ');
