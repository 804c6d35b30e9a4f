// The commands of a connection: its consent, its first account, and its revocation.
import type { Connection } from '../answers.js';
import type { Form } from '../form.js';
import { sydneyTime } from '../format.js';
import { given, type Action, type Field, type Request } from './action.js';

const REASON: Field = { name: 'reason', label: 'Reason', type: 'text', isRequired: true, longest: 256 };
const NICKNAME: Field = {
  ...{ name: 'nickname', label: 'Name of the account (optional)', type: 'text', isRequired: false },
  ...{ longest: 256, hint: 'Exactly as the provider shows it. Enter the ABN too.' },
};
const ABN: Field = {
  ...{ name: 'abn', label: 'ABN of the account (optional)', type: 'text', isRequired: false, longest: 14 },
  hint: '11 digits. The API refuses the consent of another account.',
};
const HALF_AN_ACCOUNT = 'Enter both the name and the ABN of the account, or neither.';

/** The account that a person has entered. Undefined: none. */
function accountIn({ nickname, abn = '' }: Form): { nickname: string; abn: string } | 'half' | undefined {
  const digits = abn.replaceAll(' ', '');
  if (!nickname && digits === '') return undefined;
  return nickname && digits !== '' ? { nickname, abn: digits } : 'half';
}

const LINK_EFFECT = [
  'You get a link for the merchant. It works once, in one browser, and for ten minutes. Earlier links stop working.',
  'The present tokens stay in use until the merchant has consented. Then waiting agreements and payments resume.',
];

/** The commands of this connection. @param connection as the page shows it. */
export const connectionActions = (connection: Connection): readonly Action<Connection>[] => [
  {
    ...{ name: 'reauthorisation', title: 'Get a link for a new consent', scope: 'write' },
    isOffered: () => true,
    effect: () => [...LINK_EFFECT, 'The API refuses the consent of another account.'],
    fields: [],
    request: (path) => ({ path: `${path}/reauthorisation`, body: {} }),
    done: 'The link was made.',
    outcome: consentLink,
  },
  confirmation(connection),
  {
    ...{ name: 'other-account', title: 'Let another account consent', scope: 'operate' },
    isOffered: ({ account }) => account !== 'unknown',
    effect: () => [
      ...LINK_EFFECT,
      'Whichever account consents with this link becomes the account of this connection.',
    ],
    fields: [REASON],
    request: (path, form) => ({
      path: `${path}/reauthorisation`,
      body: { accept_other_account: true, ...given(form, 'reason') },
    }),
    done: 'The link was made.',
    outcome: consentLink,
  },
  {
    ...{ name: 'revocation', title: 'Revoke', scope: 'operate' },
    isOffered: () => true,
    effect: ({ status }) => [
      'The API deletes our tokens, and open links stop working. Workers stop using the tokens within a minute.',
      status === 'healthy'
        ? 'All agreements and payments of this connection then wait until the merchant consents again.'
        : 'Agreements and payments of this connection wait already.',
      'Nothing is sent to the provider: the merchant must also revoke the consent there.',
    ],
    fields: [REASON],
    request: (path, form) => ({ path: `${path}/revocation`, body: given(form, 'reason') }),
    done: 'Our tokens are deleted. Ask the merchant to revoke the consent at the provider too.',
  },
];

/** The form has the account that the person has looked at, so the API refuses it if another one consented since. */
const confirmation = ({ account_check: check }: Connection): Action<Connection> => ({
  ...{ name: 'confirmation', title: 'Confirm the account', scope: 'operate' },
  isOffered: ({ account_check: now }) => now?.state === 'to_confirm',
  effect: () => [
    'The tokens of the latest consent are then used for everything, and waiting agreements and payments resume.',
    'Confirm only after you have checked with the merchant that the account is theirs. If it is not, revoke the connection.',
  ],
  fields: [
    {
      ...{ name: 'account', label: 'The account that consented, as a hash', type: 'text', isRequired: true },
      ...{ longest: 64, initial: check?.account ?? '', hint: 'Leave it as it is.' },
    },
    ...[NICKNAME, ABN],
    { ...REASON, label: 'How you know that it is the merchant’s account' },
  ],
  request: confirmRequest,
  done: 'The account was confirmed.',
});

function confirmRequest(path: string, form: Form): Request {
  const expected = accountIn(form);
  if (expected === 'half') return { wrong: HALF_AN_ACCOUNT };
  const account = expected === undefined ? given(form, 'account') : { expected_account: expected };
  return { path: `${path}/confirmation`, body: { ...account, ...given(form, 'reason') } };
}

/** Creates a connection, or opens another link of one that waits for its consent. */
export const NEW_CONNECTION: Action<unknown> = {
  ...{ name: 'new', title: 'Create a connection', scope: 'write' },
  isOffered: () => true,
  takesApproval: true,
  effect: () => [
    'You get a link for the merchant’s consent. It works once, in one browser, and for ten minutes.',
    'Nothing is sent to the provider. Agreements can name the connection at once, and wait for the consent.',
    'If a connection with this id exists and has no valid consent, you get another link of it.',
    'Without a name and an ABN, an operator may have to confirm the account that consents.',
  ],
  fields: [
    {
      ...{ name: 'id', label: 'Id', type: 'text', isRequired: true, longest: 64 },
      hint: 'For example your own id of the merchant. You cannot change it later.',
    },
    ...[NICKNAME, ABN],
  ],
  request: createRequest,
  done: 'The connection was created.',
  outcome: consentLink,
};

function createRequest(path: string, form: Form): Request {
  const expected = accountIn(form);
  if (expected === 'half') return { wrong: HALF_AN_ACCOUNT };
  return { path, body: { ...given(form, 'id'), ...(expected && { expected_account: expected }) } };
}

/** The API answers with the link only once. */
function consentLink(answer: unknown) {
  const { data } = answer as { data: Connection };
  const { id, authorize_url: url } = data;
  const page = `/console/connections/${encodeURIComponent(id)}`;
  if (url === null)
    return (
      <p class="notice warn">
        The connection <a href={page}>{id}</a> exists and has a valid consent, so no link was made.
      </p>
    );
  const until = data.awaiting.what === 'consent' ? data.awaiting.until : null;
  return (
    <>
      <p class="notice good" role="status">
        This is the link for the merchant of <a href={page}>{id}</a>. It works once, in one browser,{' '}
        {until == null ? 'for ten minutes' : `until ${sydneyTime(until)}`}.
      </p>
      <pre tabindex={0}>{url}</pre>
      <p>
        Copy it and send it to the merchant. Only if you are the merchant:{' '}
        <a href={url} rel="noreferrer">
          open the link here
        </a>
        .
      </p>
      <p>This page shows the link only now. You can get another one at any time.</p>
    </>
  );
}
