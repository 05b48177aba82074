/**
 * Returns an amount of US dollars as text: with cents from ten cents on, below with at most two
 * significant digits.
 *
 * @example dollars(1204.5) // "$1,204.50"
 * @example dollars(0.00042) // "$0.00042"
 */
export function dollars(amount: number): string {
  if (amount === 0) return '$0';
  if (amount >= 0.1) return `$${amount.toFixed(2).replace(THOUSANDS, ',')}`;
  const digits = Math.min(MOST_DIGITS, 1 - Math.floor(Math.log10(amount)));
  return `$${amount.toFixed(digits).replace(/\.?0+$/, '')}`;
}

const THOUSANDS = /\B(?=(?:\d{3})+\.)/g;
/** Maximum number of decimals. */
const MOST_DIGITS = 12;
