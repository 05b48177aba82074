/** Ends `npm publish` of the package in this folder if an address of it is still a placeholder. */
import { readFileSync } from 'node:fs';

const { name, repository, homepage, bugs } = JSON.parse(readFileSync('package.json', 'utf8'));
const addresses = {
  'repository.url': repository?.url,
  homepage,
  'bugs.url': bugs?.url,
};
// No host can have a name that ends with ".invalid" (RFC 6761).
const isPlaceholder = (address) =>
  !address || new URL(address.replace(/^git\+/, '')).hostname.endsWith('.invalid');
const left = Object.keys(addresses).filter((field) => isPlaceholder(addresses[field]));
if (left.length > 0) {
  console.error(
    `${name} cannot be published: ${left.join(', ')} of its package.json ${left.length === 1 ? 'is a placeholder' : 'are placeholders'}. Set the addresses of the project.`,
  );
  process.exit(1);
}
