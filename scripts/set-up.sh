# Sourced by ./demo and ./check: makes a fresh machine ready, or says in one sentence what is missing.
# Needs: Node >= 20.19 and npm. Installs the rest where it may.

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

need_node() {
  command -v node >/dev/null 2>&1 || fail "Node is missing: install Node 20.19 or newer, with npm."
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Node $(node --version) is too old: install Node 20.19 or newer."
  command -v npm >/dev/null 2>&1 || fail "npm is missing: it comes with Node."
}

# need_program <name> <package> <required|optional>
need_program() {
  command -v "$1" >/dev/null 2>&1 && return 0
  if command -v apt-get >/dev/null 2>&1; then
    if [ "$(id -u)" = 0 ]; then as_root=""; elif sudo -n true 2>/dev/null; then as_root="sudo -n"; else as_root="no"; fi
    if [ "$as_root" != no ]; then
      say "Installing $2 ..."
      { $as_root apt-get install -y -qq "$2" || { $as_root apt-get update -qq && $as_root apt-get install -y -qq "$2"; }; } >/dev/null 2>&1 || true
    fi
  fi
  command -v "$1" >/dev/null 2>&1 && return 0
  [ "$3" = optional ] && { say "$1 is not installed ($2): what needs it is skipped."; return 0; }
  fail "$1 is missing: install it with your system's packages (for instance: apt-get install $2, or brew install $2)."
}

install_packages() {
  [ -f node_modules/.package-lock.json ] && [ ! package-lock.json -nt node_modules/.package-lock.json ] && return 0
  say "Installing packages (npm ci) ..."
  npm ci --no-audit --no-fund --loglevel=error >&2 || fail "npm ci failed: check that the npm registry can be reached."
}

build() {
  if [ -f dist/bin.cjs ] && [ -f dist/main.mjs ] && [ -z "$(find src package.json tsdown.config.ts -newer dist/main.mjs -print | head -n 1)" ]; then return 0; fi
  say "Building ..."
  npm run --silent build >/dev/null || fail "The build failed: run \`npm run build\` to see why."
}
