// One field that finds what a person has only a part of. What was typed is sent as a form, because addresses are stored in histories and logs.
import { hrefOf } from '../places.js';
import { search, type Found, type Hit } from '../figures/search.js';
import { counted, words } from '../format.js';
import { showPage } from '../layout.js';
import { Foreign, State, Table, TokenField } from '../parts.js';
import { formPage, readPage, type Visit } from '../visit.js';

const PATH = '/console/search';
const LONGEST = 300;

export const searchPages = [
  readPage(
    {
      ...{ path: PATH, operationId: 'showSearch' },
      summary: 'Find a resource by its uid, reference, amount, metadata, provider’s id, PayID or account',
      description: 'The page says what it searched, and links to what it found. A text may also be in `q`.',
    },
    (visit) => showSearch(visit, visit.c.req.query('q')),
  ),
  formPage(
    {
      ...{ path: PATH, operationId: 'searchConsole' },
      summary: 'Send the text to search for',
      description: 'The page of the search has the form. It changes nothing.',
    },
    (visit, { q }) => showSearch(visit, q),
  ),
];

async function showSearch(visit: Visit, given: string | undefined): Promise<Response> {
  const typed = given?.trim().slice(0, LONGEST) ?? '';
  const found = typed === '' ? [] : await search(visit, typed);
  const hits = distinct(found.flatMap((one) => one.hits));
  const isPersonal = visit.key.scopes.includes('personal');
  const content = (
    <>
      <form method="post" action={PATH} role="search" class="stacked">
        <TokenField formToken={visit.formToken} />
        <label for="q">Search</label>
        <input id="q" name="q" value={typed} type="search" autocomplete="off" aria-describedby="q-hint" />
        <p class="hint" id="q-hint">
          A uid or id, the reference of a payment, an amount such as $42.00, metadata such as order=77, or the
          provider’s id of a client{isPersonal ? ', or the PayID or account of a payer' : ''}. Each must be
          whole.
        </p>
        <button>Search</button>
      </form>
      {typed === '' ? null : <Results typed={typed} hits={hits} found={found} />}
    </>
  );
  return showPage(visit.c, { title: 'Search', content, session: visit });
}

function Results({ typed, hits, found }: { typed: string; hits: Hit[]; found: readonly Found[] }) {
  return (
    <section aria-labelledby="results">
      <h2 id="results">
        {hits.length === 0 ? 'Nothing found for ' : `${counted(hits.length, 'result')} for `}
        <bdi>“{typed}”</bdi>
      </h2>
      {hits.length === 0 ? null : (
        <Table
          label="Results"
          heads={['Kind', 'Uid', 'State', 'What']}
          rows={hits.map(({ kind, uid, state, text }) => {
            const href = hrefOf(kind, uid);
            return [
              words(kind),
              href === undefined ? <code>{uid}</code> : <a href={href}>{uid}</a>,
              <State state={state} />,
              <Foreign text={text} />,
            ];
          })}
        />
      )}
      <p>
        Searched:{' '}
        {found
          .filter(({ problem }) => problem === undefined)
          .map(({ searched }) => searched)
          .join('; ')}
        .
      </p>
      {found.flatMap(({ searched, problem }) =>
        problem === undefined ? [] : [<p class="notice warn">{`Not searched: ${searched}. ${problem}`}</p>],
      )}
    </section>
  );
}

const distinct = (hits: readonly Hit[]): Hit[] => [
  ...new Map(hits.map((hit) => [`${hit.kind} ${hit.uid}`, hit])).values(),
];
