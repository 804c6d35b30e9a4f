// Check digits of Australian business numbers: ABN (the Australian Business Register: weights, modulus 89) and ACN (ASIC: weights,
// modulus 10), as each publishes them. They show a slip of the pen; whether a business has the number, its register alone says. Pure.

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;
const ACN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1] as const;

const digitsOf = (number: string): number[] => Array.from(number, Number);

const weighed = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** Eleven digits; one is taken from the first before they are weighed. */
export function isAbn(number: string): boolean {
  if (!/^\d{11}$/.test(number)) return false;
  const [first = 0, ...others] = digitsOf(number);
  return weighed([first - 1, ...others], ABN_WEIGHTS) % 89 === 0;
}

/** Nine digits, of which the last makes the sum of the others whole. */
export function isAcn(number: string): boolean {
  if (!/^\d{9}$/.test(number)) return false;
  const digits = digitsOf(number);
  return (10 - (weighed(digits, ACN_WEIGHTS) % 10)) % 10 === digits[8];
}
