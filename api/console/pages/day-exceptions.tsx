// The exceptions of a day by their kind, each with what to do.
import { pathOf } from '../../routes/links.js';
import type { Reconciliation } from '../answers.js';
import { pageOf } from '../places.js';
import { counted } from '../format.js';
import { Money, Table, Time } from '../parts.js';

type Exception = Reconciliation['exceptions'][number];
type Resource = Exception['resource'];

const KINDS: Readonly<Record<Exception['kind'], string>> = {
  missing_in_report: 'Settled here, and missing in the report',
  unknown_here: 'In the report, and unknown here',
  not_settled_here: 'In the report, and not settled here',
  amounts_differ: 'The amounts differ',
  other_day: 'Settled on another day',
  other_connection: 'In the report of the wrong connection',
  repeated_line: 'In the report more than once',
  unreadable_line: 'Line that cannot be read',
  reversal: 'Taken back in the report',
  unlisted_type: 'Line of an unlisted type',
  only_in_float: 'Only in the float account',
};

/** So many of each kind. A link shows the others. */
const FIRST = 25;

interface Chosen {
  found: Reconciliation;
  connection: string | undefined;
  /** The kind that is listed in full. */
  chosen: string | undefined;
}

export function Exceptions({ found, connection, chosen }: Chosen) {
  const groups = found.exception_counts.filter(
    ({ kind }) => !(chosen !== undefined && chosen in KINDS) || kind === chosen,
  );
  const all = pathOf('/console/day', { day: found.day, connection });
  return (
    <section aria-labelledby="exceptions">
      <h2 id="exceptions">Exceptions</h2>
      {groups.length === 0 ? <p>None.</p> : null}
      {groups.length < found.exception_counts.length ? (
        <p>
          <a href={`${all}#exceptions`}>Show all kinds</a>
        </p>
      ) : null}
      {groups.map(({ kind, resource, count }) => {
        const its = found.exceptions.filter((one) => one.kind === kind && one.resource === resource);
        const rows = chosen === kind ? its : its.slice(0, FIRST);
        return (
          <>
            <h3>
              {KINDS[kind]}: {counted(count, resource)}
            </h3>
            {rows[0] === undefined ? null : <p>{whatToDo(rows[0])}</p>}
            <ExceptionTable label={KINDS[kind]} resource={resource} rows={rows} />
            {rows.length === count ? null : rows.length < its.length ? (
              <p>
                <a href={`${pathOf('/console/day', { day: found.day, connection, kind })}#exceptions`}>
                  Show {its.length} instead of {rows.length}
                </a>
              </p>
            ) : (
              <p>
                These are the first {rows.length} of {count}. The others follow when these are resolved.
              </p>
            )}
          </>
        );
      })}
    </section>
  );
}

/** The table has the look-up of each row, so the text needs no path of the API. */
const whatToDo = ({ what_to_do: text }: Exception): string =>
  text.replace(/Look it up: POST \S+\/look-up/, 'Look it up');

const ExceptionTable = ({
  label,
  resource,
  rows,
}: {
  label: string;
  resource: Resource;
  rows: readonly Exception[];
}) => (
  <Table
    label={label}
    heads={[
      ...[
        resource === 'payment' ? 'Payment' : 'Refund',
        'Settled here',
        'In the report',
        'In a float account',
      ],
      ...['Settled', 'Line', 'Connection'],
    ]}
    rows={rows.map((one) => [
      <>
        <Named resource={resource} uid={one.uid} /> <NextStep exception={one} />
      </>,
      <Money cents={one.our_amount} />,
      <Money cents={one.report_amount} />,
      <Money cents={one.float_amount} />,
      <Time at={one.settled_at} />,
      one.line === null ? '–' : String(one.line),
      one.other_connection === null ? one.connection : `${one.connection}, here: ${one.other_connection}`,
    ])}
  />
);

/** Refunds have no page, so the search shows them. */
const Named = ({ resource, uid }: { resource: Resource; uid: string | null }) =>
  uid === null ? (
    <>no uid</>
  ) : (
    <a href={resource === 'payment' ? pageOf('payment', uid) : pathOf('/console/search', { q: uid })}>
      <bdi>{uid}</bdi>
    </a>
  );

function NextStep({ exception: { resource, uid, what_to_do: text, proposals } }: { exception: Exception }) {
  const isLookUp = text.includes('Look it up') && uid !== null;
  return (
    <>
      {isLookUp && resource === 'payment' ? (
        <small>
          <a href={`${pageOf('payment', uid)}/commands/look-up`}>Look it up</a>
        </small>
      ) : isLookUp ? (
        <code>{`POST /v1/refunds/${uid}/look-up`}</code>
      ) : null}
      {proposals.length === 0 ? null : (
        <small>
          The same amount, perhaps the same {resource}:{' '}
          {proposals.map((proposal, index) => (
            <>
              {index === 0 ? '' : ', '}
              <Named resource={resource} uid={proposal} />
            </>
          ))}
        </small>
      )}
    </>
  );
}
