// Check digits of Australian business numbers: ABN (Australian Business Register, modulus 89) and ACN (ASIC, modulus 10). They detect
// typing errors; only the register can tell whether a business has the number. Pure.

const ABN_WEIGHTS = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19] as const;
const ACN_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 1] as const;

const digitsOf = (number: string): number[] => Array.from(number, Number);

const weighed = (digits: readonly number[], weights: readonly number[]): number =>
  weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);

/** Eleven digits. The first is reduced by one before weighing. */
export function isAbn(number: string): boolean {
  if (!/^\d{11}$/.test(number)) return false;
  const [first = 0, ...others] = digitsOf(number);
  return weighed([first - 1, ...others], ABN_WEIGHTS) % 89 === 0;
}

/** Nine digits. The last is the check digit. */
export function isAcn(number: string): boolean {
  if (!/^\d{9}$/.test(number)) return false;
  const digits = digitsOf(number);
  return (10 - (weighed(digits, ACN_WEIGHTS) % 10)) % 10 === digits[8];
}
