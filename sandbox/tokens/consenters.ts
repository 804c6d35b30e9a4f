// The users who can consent: one of the sandbox's own merchant, and one of another merchant. Only GET /user distinguishes them.

interface Consenter {
  first_name: string;
  last_name: string;
  mobile_phone: string;
  email: string;
  account: {
    name: string;
    /** Unique and stable. Callers recognise an account by it. */
    nickname: string;
    abn: string;
    phone: string;
    street_address: string;
    suburb: string;
    state: string;
    postcode: string;
  };
}

const BILLER: Consenter = {
  first_name: 'Sandbox',
  last_name: 'User',
  mobile_phone: '0400000001',
  email: 'user@biller.example',
  account: {
    name: 'Sandbox Biller Pty Ltd',
    nickname: 'sandbox-biller',
    abn: '53004085616',
    phone: '0290000001',
    street_address: '1 Sandbox Street',
    suburb: 'Sydney',
    state: 'NSW',
    postcode: '2000',
  },
};

const OTHER_BILLER: Consenter = {
  first_name: 'Other',
  last_name: 'User',
  mobile_phone: '0400000002',
  email: 'user@other-biller.example',
  account: {
    name: 'Other Biller Pty Ltd',
    nickname: 'other-biller',
    abn: '51824753556',
    phone: '0390000002',
    street_address: '2 Other Street',
    suburb: 'Melbourne',
    state: 'VIC',
    postcode: '3000',
  },
};

/** By the value of `consenter` in the consent form. The first is the default. */
export const CONSENTERS: ReadonlyMap<string, Consenter> = new Map([
  ['biller', BILLER],
  ['other_biller', OTHER_BILLER],
]);

export const consenterOf = (name: string): Consenter => CONSENTERS.get(name) ?? BILLER;
