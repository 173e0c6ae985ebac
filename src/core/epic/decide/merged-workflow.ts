/** Where GitHub looks for it. */
export const MERGED_WORKFLOW = ".github/workflows/banksman-merged.yml";

/**
 * Tells tracked epics of merged pull requests. Names and addresses come from whoever opened the pull request: they reach
 * the shell as variables, never as text of the script. Pull requests of forks get no token that may write, and are left out.
 */
export const mergedWorkflow = (version: string): string => `# written by \`banksman init --github\`; yours to change
name: banksman
on:
  pull_request:
    types: [closed]
permissions:
  contents: write
concurrency: banksman-merged
jobs:
  merged:
    if: github.event.pull_request.merged && github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
        with:
          ref: \${{ github.event.pull_request.base.ref }}
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # The version that wrote this file. Where you have banksman from elsewhere, install it from there.
      - run: npm install --global --ignore-scripts banksman@${version}
      - name: The item of the merged branch is done
        env:
          BRANCH: \${{ github.event.pull_request.head.ref }}
          URL: \${{ github.event.pull_request.html_url }}
        run: banksman pr-merged --allow-none --url "$URL" -- "$BRANCH"
      - name: Commit the epic that says so
        run: |
          git add --update .banksman/epics
          git diff --cached --quiet && exit 0
          git config user.name banksman
          git config user.email banksman@users.noreply.github.com
          git commit --quiet --message "Mark the item of a merged branch as done"
          git pull --quiet --rebase
          git push --quiet
`;
